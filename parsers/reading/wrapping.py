"""Put a value into the form that was asked for: unwrapped, or a list or object put around it."""

from typing import Any

from parsers.shape import Shape

Form = tuple[Any, tuple[str, ...]]
"""A value, and notes of what was done to it."""


def in_form(shape: Shape, value: Any) -> Form:
    """The value as the object asked for, if it only stands in another form."""
    value, unwrapped = _unwrapped(shape, value)
    formed, notes = _as_object(shape, value)
    return formed, unwrapped + notes


def joined(shape: Shape, values: list[Any]) -> Form | None:
    """Several objects in a row as the one list that was asked for, or None if they are not that."""
    field = only_list(shape)
    if field is None or field.item is None or len(values) < 2:
        return None
    names = field.item.fields
    if names and all(isinstance(value, dict) and names.keys() & value.keys() for value in values):
        return {field.name: values}, (f"put {len(values)} objects into the list `{field.name}`",)
    return None


def likeness(shape: Shape, value: Any) -> int:
    """How many of the answer's fields the value has."""
    return len(shape.fields.keys() & value.keys()) if isinstance(value, dict) else 0


def only_list(shape: Shape) -> Shape | None:
    """The answer's list field, if every other field may be left out."""
    needed = [field for field in shape.fields.values() if not field.optional]
    return needed[0] if len(needed) == 1 and needed[0].kind == "list" else None


def _unwrapped(shape: Shape, value: Any) -> Form:
    """The value without an object around it, such as one with the only field `answer`."""
    if not isinstance(value, dict):
        return _from_list_of_one(shape, value)
    if likeness(shape, value) and not _holds_itself(shape, value):
        return value, ()
    field = only_list(shape)
    inside = [
        (key, inner)
        for key, inner in value.items()
        if likeness(shape, inner)
        or (field is not None and isinstance(inner, list) and _are_items(field, inner))
    ]
    if len(inside) != 1:
        return value, ()
    return inside[0][1], (f"took the answer out of the field {str(inside[0][0])[:30]!r}",)


def _holds_itself(shape: Shape, value: dict[Any, Any]) -> bool:
    """Whether the only field has the whole answer in place of a text: `{"answer": {"answer"…`."""
    ((key, inner), *others) = value.items()
    return not others and shape.fields[key].kind == "text" and isinstance(inner, dict)


def _from_list_of_one(shape: Shape, value: Any) -> Form:
    """The only object of a list, where that object is the answer."""
    if isinstance(value, list) and len(value) == 1 and likeness(shape, value[0]):
        return value[0], ("took the answer out of a list",)
    return value, ()


def _as_object(shape: Shape, value: Any) -> Form:
    """The value with the object around it that was left out."""
    field = only_list(shape)
    if field is None:
        return value, ()
    if isinstance(value, list) and _are_items(field, value):
        return {field.name: value}, (f"took the list for `{field.name}`",)
    if isinstance(value, dict) and not likeness(shape, value) and _is_item(field, value):
        return {field.name: [value]}, (f"took the object for the only one of `{field.name}`",)
    return value, ()


def _are_items(field: Shape, values: list[Any]) -> bool:
    """Whether the values look like the list's items."""
    return bool(values) and all(_is_item(field, value) for value in values)


def _is_item(field: Shape, value: Any) -> bool:
    """Whether the value looks like one of the list's items."""
    assert field.item is not None
    if field.item.kind == "object":
        return isinstance(value, dict) and bool(field.item.fields.keys() & value.keys())
    return field.item.kind == "text" and isinstance(value, str)
