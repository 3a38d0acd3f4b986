"""Whether this process lives, whether it can serve, and its metrics. At the root, outside the API."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from draftsmith.access.actions import Action
from draftsmith.api.context import Ctx
from draftsmith.api.contract.route import Route, requires
from draftsmith.api.forms import answers
from draftsmith.api.forms.responses import json_response
from draftsmith.api.http.metrics import metrics_response
from draftsmith.errors import StorageError

router = APIRouter(route_class=Route, tags=["operating"])


@router.get("/healthz", dependencies=[requires(Action.PUBLIC)], response_model=answers.HealthOut)
async def get_health() -> Response:
    """Answer while the process lives."""
    return json_response(answers.HealthOut(status="ok"))


@router.get(
    "/readyz",
    dependencies=[requires(Action.PUBLIC)],
    response_model=answers.HealthOut,
    responses={503: {"model": answers.HealthOut}},
)
async def get_readiness(context: Ctx) -> Response:
    """Answer whether the store can be written and read now, and what it may lose as it is set."""
    try:
        await context.store.ping()
    except StorageError as error:
        return json_response(answers.HealthOut(status="not saving", code=error.code, detail=error.detail), 503)
    risks = context.store_watch.risks
    if not risks:
        return json_response(answers.HealthOut(status="ok"))
    # 200, since it serves and saves: taking every server out of use would cost more than what may be lost.
    accepted = context.store_watch.accepted
    told = [
        answers.StoreRiskOut(code=risk.code, detail=risk.detail, remedy=risk.remedy, accepted=risk.code in accepted)
        for risk in risks
    ]
    return json_response(answers.HealthOut(status="degraded", code=risks[0].code, detail=risks[0].detail, risks=told))


@router.get("/metrics", dependencies=[requires(Action.SETTINGS_READ)], include_in_schema=False)
async def metrics(context: Ctx) -> Response:
    """Prometheus metrics of all workers."""
    context.metrics.collect()
    return metrics_response()
