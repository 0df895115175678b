"""Options that several commands share, as one parameter of each: a NamedTuple with a field for every option."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import get_type_hints

Command = Callable[..., None]


def spread(command: Command) -> Command:
    """A command as the command line library takes it: for a group of options, each of them."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if hasattr(kind, "_fields")}
    if not groups:
        return command

    @wraps(command)
    def call(**given: object) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field: given.pop(field) for field in kind._fields})
        command(**given)

    parameters = list[Parameter]()
    for name, one in signature(command).parameters.items():
        if name not in groups:
            parameters.append(one.replace(annotation=hints[name]))
            continue
        defaults = groups[name]._field_defaults
        for field, hint in get_type_hints(groups[name], include_extras=True).items():
            default = defaults.get(field, Parameter.empty)
            parameters.append(Parameter(field, Parameter.KEYWORD_ONLY, default=default, annotation=hint))
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call
