"""A Jinja sandbox in which no template, whoever wrote it, can take much time or memory.

Every body (of a loop, macro, block or file) is counted when it is entered, and every text and list
when it is made or shown. So that nothing escapes the count, the syntax tree is changed before it is
compiled (`_Counting`), and there are only filters, methods and operators that do not make much of
little.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any

from jinja2 import TemplateSyntaxError, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

LONGEST = 200_000
"""Maximum number of characters of a text, and of a list when it is written out."""
MOST_WORK = 5_000_000
"""Maximum count for one message: work of a few seconds, and at most some hundred MB."""
LARGEST = 2**64
"""Maximum absolute value of a whole number."""
SMALL = 128
"""Length up to which a value costs nothing of its own: it counts with the body that shows it."""
_ITEM = 16
"""Count of an item of a list, and of a body that is entered, besides their texts."""
_GROUPS = (list, tuple, set, frozenset, dict)

FILTERS = frozenset(
    (
        *("abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "groupby"),
        *("int", "items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject"),
        *("rejectattr", "replace", "reverse", "select", "selectattr", "sort", "string", "sum"),
        *("title", "trim", "truncate", "unique", "upper", "wordcount"),
    )
)
"""Filters that templates may use."""
METHODS = frozenset(
    (
        *("capitalize", "endswith", "lower", "lstrip", "partition", "removeprefix"),
        *("removesuffix", "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper"),
    )
)
"""Methods of a text that templates may call."""

_OF_TEXTS = ("replace", "default", "d")
"""Filters whose arguments may be long."""

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)
"""What is left of the count of the message that is being rendered; outside, nothing is counted."""


def start_count() -> None:
    """Begin to count anew; this comes before every rendering."""
    _left.set([MOST_WORK])


def spend(count: int) -> None:
    """Count work. Raises SecurityError when it is more than one message may take."""
    left = _left.get()
    if left is None:
        return
    left[0] -= count
    if left[0] < 0:
        raise SecurityError("the template would run on, or fill the memory; make it do less")


def _fit(length: int) -> None:
    """Count a text or list of this length. Raises SecurityError if that is too long."""
    if length > LONGEST:
        raise SecurityError(f"a text or a list would have more than {LONGEST:,} characters")
    if length > SMALL:
        spend(length)


def _length(value: object) -> int:
    """Return the length of a value that is written out; what a list holds twice counts twice."""
    length, waiting = 0, [value]
    while waiting and length <= LONGEST:
        each = waiting.pop()
        if isinstance(each, str):
            length += len(each)
        elif isinstance(each, _GROUPS):
            length += _ITEM * len(each)
            if length <= LONGEST:
                waiting += [*each, *(each.values() if isinstance(each, dict) else ())]
    return length


def _weigh(value: Any) -> Any:
    """Return a value, counted; an iterator counts as it is used."""
    if isinstance(value, (str, *_GROUPS)):
        _fit(_length(value))
    elif isinstance(value, int) and not -LARGEST <= value <= LARGEST:
        raise SecurityError("a number would become too large")
    elif hasattr(value, "__next__"):
        return map(_weigh_item, value)
    return value


def _weigh_item(value: Any) -> Any:
    spend(_ITEM + _length(value))
    return value


def _counted(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that counts what it reads and what it makes."""
    skipped = int(hasattr(run, "jinja_pass_arg"))

    @wraps(run)
    def running(*args: Any, **named: Any) -> Any:
        first, rest = args[:skipped], list(args[skipped:])
        given = [each for each in (*rest[1:], *named.values()) if isinstance(each, str)]
        if name not in _OF_TEXTS and any(len(each) > SMALL for each in given):
            raise SecurityError(f"`{name}` takes short names and texts only")
        if isinstance(rest[0], str):
            _fit(len(rest[0]))
        if name == "replace":
            text, old, new = (*map(str, [*rest, *named.values()]), "", "")[:3]
            _fit(len(text) + text.count(old) * len(new))
        elif name == "join":
            rest[0] = list(rest[0])
            between = str(rest[1] if rest[1:] else named.get("d", ""))
            _fit(_length(rest[0]) + len(rest[0]) * len(between))
        return _weigh(run(*first, *rest, **named))

    return running


@pass_context
def _enter(context: Context, weight: int) -> None:
    spend(weight)


@pass_context
def _enter_each(context: Context, values: Any, weight: int) -> Any:
    """Return the values of a loop, after counting its body for each of them."""
    if hasattr(values, "__len__"):
        spend(weight * len(values))
        return values
    return _entered(values, weight)


def _entered(values: Iterable[Any], weight: int) -> Iterator[Any]:
    for value in values:
        spend(weight)
        yield value


_OWN = {"#weigh": _weigh, "#enter": _enter, "#enter each": _enter_each}
"""Filters that only `_Counting` writes into templates: no template can name them."""


def _weight(body: Sequence[nodes.Node]) -> int:
    """Return the count of running a body once, by its nodes and what it shows."""
    weight = _ITEM
    for node in body:
        for each in (node, *node.find_all(nodes.Node)):
            weight += 1
            weight += len(each.data) if isinstance(each, nodes.TemplateData) else 0
            weight += SMALL * len(each.nodes) if isinstance(each, nodes.Output) else 0
    return weight


class _Counting(NodeTransformer):
    """Writes the count into a template's syntax tree."""

    def _filtered(self, node: nodes.Node, name: str, *args: int) -> nodes.Filter:
        at = {"lineno": node.lineno, "environment": node.environment}
        constants: list[nodes.Expr] = [nodes.Const(each, **at) for each in args]
        return nodes.Filter(node, name, constants, [], None, None, **at)

    def visit_Template(self, node: Any) -> Any:  # noqa: N802
        """Count a body whenever it is entered."""
        at = {"lineno": node.lineno, "environment": node.environment}
        weight = nodes.Const(_weight(node.body), **at)
        self.generic_visit(node)
        node.body.insert(0, nodes.ExprStmt(self._filtered(weight, "#enter"), **at))
        return node

    visit_Block = visit_Macro = visit_CallBlock = visit_Template  # noqa: N815

    def visit_For(self, node: nodes.For) -> Any:  # noqa: N802
        """Count a loop's body for each value."""
        if node.recursive:
            raise TemplateSyntaxError("a loop that calls itself is not allowed", node.lineno)
        weight = _weight([*node.body, *([node.test] if node.test else [])])
        self.generic_visit(node)
        node.iter = self._filtered(node.iter, "#enter each", weight)
        return node

    def visit_Concat(self, node: Any) -> Any:  # noqa: N802
        """Count a text or list that is made, unless it is the target of an assignment."""
        self.generic_visit(node)
        is_made = getattr(node, "ctx", "load") == "load"
        return self._filtered(node, "#weigh") if is_made else node

    visit_List = visit_Tuple = visit_Dict = visit_Concat  # noqa: N815

    def visit_Name(self, node: nodes.Name) -> Any:  # noqa: N802
        """Count the arguments of a macro that are given as one list."""
        is_list = node.ctx == "load" and node.name in ("varargs", "kwargs")
        return self._filtered(node, "#weigh") if is_list else node


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox that counts what its templates do; `start_count` comes before each rendering."""

    intercepted_binops = frozenset(("+", "-", "*", "**", "%"))

    def __init__(self, *args: Any, **named: Any) -> None:
        """Store the arguments of Jinja's own environment, and let filters count."""
        super().__init__(*args, **named)
        kept = {key: run for key, run in self.filters.items() if key in FILTERS}
        self.filters = {name: _counted(name, run) for name, run in kept.items()} | _OWN

    def compile(
        self,
        source: Any,
        name: str | None = None,
        filename: str | None = None,
        raw: Any = False,
        defer_init: bool = False,
    ) -> Any:
        """Compile a template with the count written into it."""
        try:
            if isinstance(source, str):
                source = _Counting().visit(self.parse(source, name, filename))
            return super().compile(source, name, filename, raw, defer_init)
        except (RecursionError, SyntaxError) as error:
            raise TemplateSyntaxError("it is nested too deeply", 0, name) from error

    def parse(self, source: str, name: Any = None, filename: Any = None) -> nodes.Template:
        """Return a template's syntax tree. Raises TemplateSyntaxError if it has none."""
        try:
            return super().parse(source, name, filename)
        except RecursionError as error:
            raise TemplateSyntaxError("it is nested too deeply", 0, name) from error
        except ValueError as error:
            raise TemplateSyntaxError("a number in it is too long", 0, name) from error

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute: of a text few, of a number none."""
        if isinstance(obj, str):
            return attr in METHODS
        if isinstance(obj, int | float | bytes):
            return False
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Return None, so that `str.format` is refused like other methods that pad a text."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return a sum, and of numbers a difference, product or remainder, if it is not too long.

        Raises SecurityError for anything else.
        """
        are_numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "**" or (operator in "*%" and not are_numbers):
            raise SecurityError(f"`{operator}` is for numbers only, and there are no powers")
        return _weigh(super().call_binop(context, operator, left, right))

    def call(self, context: Context, obj: Any, /, *args: Any, **named: Any) -> Any:
        """Return what a function returns, counted."""
        spend(_ITEM + len(args))
        return _weigh(super().call(context, obj, *args, **named))
