"""Every setting of Draftsmith: its name in the environment, its default, its limits.

The name in the environment is the name of the field in upper case (`max_nodes` is `MAX_NODES`); an empty variable
counts as absent. Only `main` and the command line build `Settings`; everything else is handed the values it needs.
Not here: what the values are used for.
"""

from __future__ import annotations

import os
import re
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, model_validator

from draftsmith.settings_models import Count, CountOrNone, ModelSettings, Name, Secret, comma_list, lower

MIB = 1024 * 1024
STORE_RISKS = ("appendonly", "appendfsync", "eviction", "unknown")
"""As in `draftsmith.ports.store`; settings import nothing of the product."""


def default_data_dir() -> Path:
    """Give the folder for application data of this platform and user, with `draftsmith` appended.

    Linux and others: `$XDG_DATA_HOME` if it is absolute (the XDG specification ignores relative ones), else
    `~/.local/share`. macOS: `~/Library/Application Support`.
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "draftsmith"
    named = os.environ.get("XDG_DATA_HOME", "")
    root = Path(named) if named.startswith("/") else Path.home() / ".local" / "share"
    return root / "draftsmith"


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _store_url(value: str | None) -> str | None:
    if value is not None and not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must start with redis://, rediss:// or unix://")
    try:
        _ = value is not None and urlsplit(value).port
    except ValueError:  # whose message quotes what it took for a port
        raise ValueError("cannot be read; in a password, write / as %2F, # as %23, ? as %3F and @ as %40") from None
    return value


def _with_password(value: str | None, info: ValidationInfo) -> str | None:
    """The address with the password of `redis_password_file` in it."""
    file: Path | None = info.data.get("redis_password_file")
    if value is None or file is None:
        return value
    parts = urlsplit(value)
    if parts.password is not None:
        raise ValueError("has a password of its own; set that, or REDIS_PASSWORD_FILE")
    try:
        password = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise ValueError(f"the file of REDIS_PASSWORD_FILE cannot be read ({type(problem).__name__})") from None
    if not password:
        raise ValueError("the file of REDIS_PASSWORD_FILE is empty")
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username or ''}:{quote(password, safe='')}@{host}").geturl()


def _issuer_url(value: str | None) -> str | None:
    """An address that credentials go to: HTTPS, or HTTP on this machine."""
    if value is None:
        return None
    parts = urlsplit(value)
    is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_here)):
        raise ValueError("must start with https:// (http:// on this machine alone)")
    if parts.username is not None or parts.fragment:
        raise ValueError("must not hold a user name or a fragment")
    return value


def _origins(value: str) -> str:
    for origin in comma_list(value):
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or origin != f"{parts.scheme}://{parts.netloc}":
            raise ValueError(f"{origin} is no origin; write https://name or https://name:port, nothing after it")
        if "*" in origin or "@" in origin or origin != origin.lower():
            raise ValueError(f"{origin} is no origin as browsers write it: lower case, no *, no user")
    return value


def _networks(value: str) -> str:
    for network in comma_list(value):
        try:
            ip_network(network)
        except ValueError:
            raise ValueError(f"{network} is no address and no network such as 10.0.0.0/8") from None
    return ",".join(comma_list(value))


def _risks(value: str) -> str:
    for code in comma_list(value):
        if code not in STORE_RISKS:
            raise ValueError(f"{code} is no risk of a store; there are {', '.join(STORE_RISKS)}")
    return value


def _public_url(value: str) -> str:
    """The address that people open, as browsers write it and without a slash at the end."""
    if not value:
        return ""
    parts = urlsplit(value)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ValueError("has a port that is none")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address such as https://drafts.example.org")
    if parts.username is not None or parts.query or parts.fragment or value.endswith(("?", "#")):
        raise ValueError("must not hold a user name, a query or a fragment")
    host = parts.hostname
    if not re.fullmatch(r"[a-z0-9_.-]{1,255}|[0-9a-f:.]{2,45}", host):
        raise ValueError(f"names no host as browsers write it: {host} (write xn--… for letters beyond ASCII)")
    path = _path(parts.path.rstrip("/"))
    named = f"[{host}]" if ":" in host else host
    is_usual = port in (None, 80 if parts.scheme == "http" else 443)
    return f"{parts.scheme}://{named}{'' if is_usual else f':{port}'}{path}"


def _path(value: str) -> str:
    if value and not re.fullmatch(r"(?:/[A-Za-z0-9._~-]+)+", value):
        raise ValueError("must be a path such as /drafts, without a slash at the end")
    return value


def _root_path(value: str, info: ValidationInfo) -> str:
    """The path, which is that of `public_url` where there is one."""
    public: str = info.data.get("public_url", "")
    if not public:
        return value
    path = urlsplit(public).path
    if value and value != path:
        raise ValueError(f"is not the path of PUBLIC_URL, {public}; write it in both, or in PUBLIC_URL alone")
    return path


StoreUrl = Annotated[str | None, AfterValidator(_store_url)]
IssuerUrl = Annotated[str | None, AfterValidator(_issuer_url)]


def _bucket(value: str) -> str:
    if value and not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9/_.-]{0,200})?", value):
        raise ValueError("must be s3://bucket or s3://bucket/prefix")
    return value


def _endpoint(value: str) -> str:
    if value and not re.fullmatch(r"https?://[^/@?#\s]+/?", value):
        raise ValueError("must be http:// or https:// with a host, and without a path")
    return value.rstrip("/")


AccessMode = Literal["local", "token"]


class Settings(ModelSettings):
    """All settings; every one has a default that is right for one person on one computer.

    Those of the assistant are described in `ModelSettings`.

    Attributes:
        draftsmith_mode: local (default): this machine's people, without login, on loopback only; token: everybody shows
            who they are (sign-in, share link or key), on any address.
        mode: as `draftsmith_mode`, where that is not set; a name that other tools use, too, so any other value of it is
            not for us and counts as absent.
        host: address to listen on; default 127.0.0.1. Anything but loopback needs token mode.
        port: TCP port to listen on; default 8000; 0 takes a free one.
        workers: number of worker processes; default 1.
        allowed_hosts: host names, separated by commas, that this server answers to besides loopback ones; `*` for every
            name, which gives up the protection against DNS rebinding; default none.
        allowed_origins: other origins, separated by commas, whose pages may call the API; default none.
        frame_ancestors: other origins, separated by commas, whose pages may show the editor in a frame; default none.
        trusted_proxies: addresses and networks, separated by commas, of proxies that say truly who asks
            (`X-Forwarded-For`, `X-Forwarded-Proto`); default none.
        root_path: the path below which a proxy serves this server, such as /drafts; default that of `public_url`.
        public_url: the address that people open, for links and for signing in with an issuer, such as
            https://drafts.example.org; its host name is answered to. Default the address of each request.
        data_dir: folder of everything stored; default `default_data_dir()`.
        editor_dir: folder of a built editor to serve in place of the one that comes along; default none.
        redis_password_file: file that holds the password of `redis_url`, for containers; default none.
        redis_url: a Redis or Valkey server to use in place of the embedded one; default none.
        draftsmith_store_url: the store that this worker is to use; set by the launcher for its workers, default none.
        draftsmith_worker: name of this worker process, never used twice; set by the launcher, default w0.
        store_risks_accepted: what the store may lose, separated by commas, of which pages tell nobody; default none.
            The codes are those of /readyz: appendonly, appendfsync, eviction, unknown.
        log_level: debug, info (default), warning or error.
        log_format: console (default) or json, one object per line.
        max_nodes: nodes in a diagram; default 5,000.
        max_edges: edges in a diagram; default 10,000.
        max_operations: operations in a batch; default 500.
        max_batch_bytes: size of a batch, in bytes of its JSON; default 1,000,000. Whole-state operations do not count.
        max_body_bytes: size of a request body that may hold a whole diagram or document, in bytes; default 32 MiB.
        max_small_body_bytes: size of any other request body, in bytes; default 2,000,000, and never less than twice
            `max_batch_bytes`.
        max_client_bodies_bytes: bytes of all bodies that one client sends at a time; default 40 MiB, and never less
            than `max_body_bytes`.
        max_bodies_bytes: bytes of all bodies that a worker holds at a time; default 96 MiB, and never less than twice
            `max_body_bytes`.
        body_seconds: seconds within which a body must have come; default 120.
        max_image_bytes: size of an image, in bytes; default 10,000,000.
        max_images_bytes: bytes of all images of a workspace; default 200,000,000.
        max_open: live pages and event streams that one principal has open on one worker; default 200; 0 for no limit.
        max_unsent_bytes: bytes that wait on one worker for clients that do not read them; default 64 MiB. Beyond that
            those that take least are disconnected first.
        max_document_chars: length of a document, in characters; default 2,000,000.
        max_work: counted work of one request, in units of about 20 ns; default 100,000,000. See docs/operations.md.
        preparers: processes of each worker that prepare what takes long; default 2.
        preparers_start: when they and the layout engine start: `ready` (default), once the server is, or `needed`.
        writes_per_minute: writing requests of one principal in a minute, in token mode; default 3,000; 0 for no limit.
        agent_calls_per_minute: requests of one agent to /mcp in a minute, in either mode; default 300; 0 for no limit.
        tries_per_minute: refused credentials of one address in a minute, in token mode; default 60; 0 for no limit.
        application_workspaces: workspaces that one application may have; default 10,000.
        oidc_issuer: the OpenID Connect issuer with which people sign in, exactly as it calls itself; default none.
        oidc_client_id: what the issuer knows this server as; needed with `oidc_issuer`.
        oidc_client_secret: its secret at the issuer; default none, for a public client.
        oidc_scopes: what the issuer is asked for; default openid profile email.
        oidc_name: what the issuer is called on the page that signs in; default its host name.
        session_hours: hours after which who signed in with the issuer does so again; default 24.
        jwt_audience: `aud` of tokens that programs may send; tokens are accepted where it is set. Default none.
        jwt_issuer: `iss` of these tokens; default `oidc_issuer`.
        jwt_key_file: file with the key of the tokens: a public key in PEM, a JSON Web Key (Set), or a shared secret;
            default none.
        jwt_keys_url: where the key set of the tokens is served; default what the metadata of `jwt_issuer` say.
        groups_claim: the claim that lists the groups of a person; default groups.
        clock_skew_seconds: by how much the clocks of issuers may differ from this one's; default 30.
        retain_days: days that a commit stays in the log; default 30.
        retain_max_entries: commits kept per workspace at most; default 50,000.
        retain_max_bytes: bytes of commits kept per workspace at most; default 64 MiB.
        retain_min_entries: commits kept per workspace whatever the other limits say; default 10,000.
        snapshot_every_entries: commits after which a new snapshot is made; default 2,000.
        snapshot_every_bytes: bytes of commits after which a new snapshot is made; default 2 MiB.
        images_dir: folder of the images, which may be shared by several machines; default images in `data_dir`.
        images_bucket: bucket of the images in place of a folder, s3://bucket/prefix; default none.
        images_bucket_endpoint: the address of a server that speaks S3 and is not AWS; default none.
        images_bucket_region: the region of the bucket; default what AWS's own settings say.
        icons_dir: folder of SVG files that are icons of technologies, each called by one; default none.
        trash_days: days that a deleted workspace can be brought back; default 30.
        plugins_file: the file of registered plugins; default plugins.json of `data_dir`.
        draftsmith_started_ms: when the server was started, milliseconds since 1970; set by the launcher, default now.
    """

    draftsmith_mode: Annotated[AccessMode | None, BeforeValidator(lower)] = None
    mode: str = ""
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    workers: int = Field(default=1, ge=1, le=64)
    allowed_hosts: str = ""
    allowed_origins: Annotated[str, AfterValidator(_origins)] = ""
    frame_ancestors: Annotated[str, AfterValidator(_origins)] = ""
    trusted_proxies: Annotated[str, AfterValidator(_networks)] = ""
    public_url: Annotated[str, AfterValidator(_public_url)] = ""
    root_path: Annotated[str, AfterValidator(_path), AfterValidator(_root_path)] = Field(
        default="", validate_default=True
    )
    data_dir: Annotated[Path, AfterValidator(_absolute)] = Field(default_factory=default_data_dir)

    editor_dir: Annotated[Path | None, AfterValidator(lambda value: value and _absolute(value))] = None

    # Neither URL is shown by repr: they may hold a password.
    redis_password_file: Path | None = None  # read with the next one, so before it
    redis_url: Annotated[StoreUrl, AfterValidator(_with_password)] = Field(default=None, repr=False)
    draftsmith_store_url: StoreUrl = Field(default=None, repr=False)
    draftsmith_worker: str = Field(default="w0", pattern=r"^[A-Za-z0-9_.-]{1,64}$")

    store_risks_accepted: Annotated[str, AfterValidator(_risks)] = ""

    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(lower)] = "info"
    log_format: Annotated[Literal["console", "json"], BeforeValidator(lower)] = "console"

    max_nodes: Count = 5_000
    max_edges: Count = 10_000
    max_operations: Count = 500
    max_batch_bytes: Count = 1_000_000
    max_body_bytes: Count = 32 * MIB
    max_small_body_bytes: Count = 2_000_000
    max_client_bodies_bytes: Count = 40 * MIB
    max_bodies_bytes: Count = 96 * MIB
    body_seconds: Count = 120
    max_image_bytes: Count = 10_000_000
    max_images_bytes: Count = 200_000_000
    max_open: CountOrNone = 200
    max_unsent_bytes: Count = 64 * MIB
    max_document_chars: Count = 2_000_000
    max_work: Count = 100_000_000

    preparers: int = Field(default=2, ge=0, le=16)
    preparers_start: Annotated[Literal["ready", "needed"], BeforeValidator(lower)] = "ready"

    writes_per_minute: CountOrNone = 3_000
    agent_calls_per_minute: CountOrNone = 300
    tries_per_minute: CountOrNone = 60
    application_workspaces: Count = 10_000

    oidc_issuer: IssuerUrl = None
    oidc_client_id: str | None = Field(default=None, min_length=1, max_length=200)
    oidc_client_secret: Secret = Field(default=None, repr=False)
    oidc_scopes: Name = "openid profile email"
    oidc_name: str = Field(default="", max_length=60)
    session_hours: int = Field(default=24, ge=1, le=24 * 30)
    jwt_audience: str | None = Field(default=None, min_length=1, max_length=500)
    jwt_issuer: str | None = Field(default=None, min_length=1, max_length=500)
    jwt_key_file: Path | None = None
    jwt_keys_url: IssuerUrl = None
    groups_claim: Name = "groups"
    clock_skew_seconds: int = Field(default=30, ge=0, le=300)

    retain_days: Count = 30
    retain_max_entries: Count = 50_000
    retain_max_bytes: Count = 64 * MIB
    retain_min_entries: Count = 10_000
    snapshot_every_entries: Count = 2_000
    snapshot_every_bytes: Count = 2 * MIB
    trash_days: Count = 30

    images_dir: Annotated[Path | None, AfterValidator(lambda value: value and _absolute(value))] = None
    images_bucket: Annotated[str, AfterValidator(_bucket)] = ""
    images_bucket_endpoint: Annotated[str, AfterValidator(_endpoint)] = ""
    images_bucket_region: str = Field(default="", max_length=60)
    icons_dir: Annotated[Path | None, AfterValidator(lambda value: value and _absolute(value))] = None
    plugins_file: Annotated[Path | None, AfterValidator(lambda value: value and _absolute(value))] = None

    draftsmith_started_ms: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _images_have_one_place(self) -> Settings:
        if self.images_bucket and self.images_dir is not None:
            raise ValueError("IMAGES_BUCKET and IMAGES_DIR name two places for the images; set one")
        if self.images_bucket_endpoint and not self.images_bucket:
            raise ValueError("IMAGES_BUCKET_ENDPOINT needs IMAGES_BUCKET, the bucket there")
        return self

    @model_validator(mode="after")
    def _identity_is_whole(self) -> Settings:
        """What says who people are goes together, or a server would start that nobody can sign in to."""
        if self.oidc_issuer is not None and self.oidc_client_id is None:
            raise ValueError("OIDC_ISSUER needs OIDC_CLIENT_ID, which the issuer gives")
        if self.oidc_issuer is None and self.oidc_client_id is not None:
            raise ValueError("OIDC_CLIENT_ID needs OIDC_ISSUER, the address of the issuer")
        if self.jwt_audience is None and (self.jwt_issuer or self.jwt_key_file or self.jwt_keys_url):
            raise ValueError("tokens need JWT_AUDIENCE, or those made for other servers would be accepted here")
        if self.jwt_audience is not None and self.jwt_issuer is None and self.oidc_issuer is None:
            raise ValueError("JWT_AUDIENCE needs JWT_ISSUER (or OIDC_ISSUER), whose tokens are accepted")
        has_keys = self.jwt_key_file is not None or self.jwt_keys_url is not None
        if self.jwt_issuer is not None and not has_keys:
            _issuer_url(self.jwt_issuer)  # its metadata are fetched from there
        return self

    @property
    def answered_hosts(self) -> list[str]:
        """Host names that are answered besides loopback ones, that of `public_url` among them."""
        public = urlsplit(self.public_url).hostname
        return [name.lower() for name in (*comma_list(self.allowed_hosts), *([public] if public else ()))]

    @property
    def images_path(self) -> Path:
        """Where images are kept as files."""
        return self.images_dir or self.data_dir / "images"

    @property
    def plugins_path(self) -> Path:
        """Where plugins are registered; there need be no such file."""
        return self.plugins_file or self.data_dir / "plugins.json"

    @property
    def access_mode(self) -> AccessMode:
        """Whether everybody shows who they are: what `draftsmith_mode` says, else what `mode` says."""
        if self.draftsmith_mode is not None:
            return self.draftsmith_mode
        return "token" if self.mode.strip().lower() == "token" else "local"

    @property
    def foreign_mode(self) -> str | None:
        """The value of `MODE` that is none of ours where it would decide; None where it decides nothing or is ours."""
        is_ours = self.draftsmith_mode is not None or self.mode.strip().lower() in ("", "local", "token")
        return None if is_ours else self.mode
