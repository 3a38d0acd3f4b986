# syntax=docker/dockerfile:1

# The bases, each once, by the exact version of a supported release; `deploy/pin-images` writes digests behind them.
ARG NODE_IMAGE=node:24.19.0-bookworm-slim
ARG PYTHON_IMAGE=python:3.11.16-slim-bookworm

# 1. The editor.
FROM ${NODE_IMAGE} AS editor
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
# States the version, which the client library repeats.
COPY backend/draftsmith/__init__.py ../backend/draftsmith/
RUN npm run build

# 2. The environment: pinned packages, checked by hash, then our own wheel with prompts and editor inside.
FROM ${PYTHON_IMAGE} AS environment
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# `providers`: with the SDKs of all providers of models, not Anthropic's alone.
ARG LOCK=base
WORKDIR /src
COPY requirements/ requirements/
RUN python -m venv /build && /build/bin/pip install --require-hashes -r requirements/build.lock \
 && python -m venv /opt/draftsmith && /opt/draftsmith/bin/pip install --require-hashes -r "requirements/$LOCK.lock"
# Everything that .dockerignore lets through, prompts among it.
COPY . .
COPY --from=editor /src/frontend/dist frontend/dist
RUN /build/bin/python -m hatchling build --target wheel --directory /wheel \
 && /opt/draftsmith/bin/pip install --no-deps --no-index /wheel/*.whl

# 3. What runs.
FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Draftsmith" org.opencontainers.image.version="0.2.2.dev0"
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin draftsmith \
 && install -d -o draftsmith -g draftsmith -m 0700 /data
COPY --from=environment /opt/draftsmith /opt/draftsmith
COPY LICENSE NOTICE /usr/share/doc/draftsmith/
# Also for commands that are run in the container beside the server.
ENV PATH=/opt/draftsmith/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data
USER draftsmith
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
# Without REDIS_URL it keeps its data in /data with the embedded server.
CMD ["draftsmith", "serve", "--host", "0.0.0.0", "--port", "8000", "--data-dir", "/data"]
