"""The arguments of a tool, read from the signature of its function: their JSON Schema, and their validation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

Function = Callable[..., Any]
_MOST_FAULTS = 10


def faults_of(error: ValidationError, name: str) -> str:
    """What does not fit, each with its place; `name`: the place that is named where an error has none."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or name}: {one['msg']}" for one in faults[:_MOST_FAULTS])


class Signature:
    """The parameters of a function, apart from the one that takes the session."""

    def __init__(self, function: Function, session_type: type) -> None:
        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, Any] = {}
        self.session_parameter: str | None = None
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
                raise TypeError(f"{function.__name__}: '{name}' cannot be passed by name")
            if name not in hints:
                raise TypeError(f"{function.__name__}: '{name}' has no type, so no schema can be made of it")
            if hints[name] is session_type:
                self.session_parameter = name
                continue
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[name] = (hints[name], default)
        self._model: type[BaseModel] = create_model(
            function.__name__, __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=False), **fields
        )

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments, an object."""
        schema = self._model.model_json_schema()
        for shape in (schema, *schema.get("properties", {}).values()):
            shape.pop("title", None)
        schema.pop("description", None)
        schema.setdefault("properties", {})
        return schema

    def read(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Read arguments as the function takes them.

        Raises:
            ValueError: one does not fit; the message names each.
        """
        try:
            model = self._model.model_validate(args)
        except ValidationError as error:
            raise ValueError(faults_of(error, "args")) from None
        return {name: getattr(model, name) for name in type(model).model_fields}
