"""A Jinja sandbox in which no template, whoever wrote it, can take much time or memory.

All that a template does is counted: each body that it enters (of a loop, macro, block or file) by
its size, each long value by its length when it is made, compared or shown. So that nothing escapes
the count, the syntax tree is changed before it is compiled (`_Counting`), and filters and methods
that make much of little do not exist.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any

from jinja2 import TemplateSyntaxError, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

LONGEST = 1_000_000
"""Maximum number of characters of a text, and of a list when it is written out."""
MOST_WORK = 20_000_000
"""Maximum count for one message: work of a few seconds, and at most some hundred MB."""
LARGEST = 2**64
"""Maximum absolute value of a whole number."""

SMALL = 128
"""Length up to which a value costs nothing of its own: it counts with the body that shows it."""
_ITEM = 16
"""Count of an item of a list, besides its text."""
_MODEL = 200
"""Count of a model in a list, whose text is not known before it is shown."""
_CALL = 32
"""Count of what is more than a step of Python: a call, a lookup, a comparison, an operator."""
_CALLS = (
    *(nodes.Call, nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem, nodes.Compare),
    *(nodes.BinExpr, nodes.Concat, nodes.List, nodes.Tuple, nodes.Dict, nodes.For, nodes.Include),
)
_GROUPS = (list, tuple, set, frozenset, dict)
_SIZED = (str, *_GROUPS)
_COUNTED = (*_GROUPS, Namespace)
_PLAIN = (int, float, bytes)

_REFUSED_FILTERS = frozenset(
    ("batch", "center", "format", "indent", "pprint", "slice", "striptags", "urlize", "wordwrap")
)
_READING_TESTS = (
    *("in", "eq", "==", "equalto", "ne", "!=", "lt", "<", "lessthan", "le", "<=", "gt", ">"),
    *("greaterthan", "ge", ">=", "lower", "upper"),
)
"""Tests that read all of a value."""
_TEXT_METHODS = frozenset(
    (
        *("capitalize", "casefold", "count", "endswith", "find", "index", "isalnum", "isalpha"),
        *("isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle"),
        *("isupper", "join", "lower", "lstrip", "partition", "removeprefix", "removesuffix"),
        *("replace", "rfind", "rindex", "rpartition", "rsplit", "rstrip", "split", "splitlines"),
        *("startswith", "strip", "swapcase", "title", "upper"),
    )
)
"""Methods of a text that exist: those whose result is not much longer than text and arguments."""
_AT_AN_END = ("startswith", "endswith")
"""Methods that read no more of a text than their argument is long."""

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


def show(value: object) -> str:
    """Return the text of a value that is shown, counted."""
    text = value if isinstance(value, str) else str(value)
    if len(text) > SMALL:
        spend(len(text))
    return text


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
                waiting += each
                waiting += each.values() if isinstance(each, dict) else ()
        elif isinstance(each, Namespace):
            raise SecurityError("a namespace cannot be kept in a list or in another namespace")
        elif hasattr(type(each), "model_fields"):
            length += _MODEL
    return length


def _weigh(value: Any) -> Any:
    """Return a value, counted."""
    if isinstance(value, str):
        _fit(len(value))
    elif isinstance(value, int):
        if not -LARGEST <= value <= LARGEST:
            raise SecurityError("a number would become too large")
    elif isinstance(value, _COUNTED):
        _fit(_length(value))
    return value


def _weigh_made(value: Any) -> Any:
    """Return what a filter or function has made, counted; an iterator counts as it is used."""
    if isinstance(value, Namespace):
        return value
    return map(_weigh_item, value) if hasattr(value, "__next__") else _weigh(value)


def _weigh_item(value: Any) -> Any:
    spend(_ITEM + _length(value))
    return value


def _join(values: Iterable[Any]) -> str:
    """Return values as one text, as `~` does."""
    texts = [show(value) for value in values]
    _fit(sum(map(len, texts)))
    return "".join(texts)


def _count_replaced(text: object, old: object, new: object, *_: object) -> None:
    """Count the result of replacing one text by another before it is made."""
    text, old, new = str(text), str(old), str(new)
    _fit(len(text) + text.count(old) * max(0, len(new) - len(old)))


def _count_joined(between: object, values: Any) -> list[Any]:
    """Return values that are about to be joined by a text, after counting the result."""
    found = list(values)
    _fit(_length(found) + len(found) * len(str(between)))
    return found


def _check_filter(name: str, args: list[Any], named: dict[str, Any]) -> None:
    """Count what a filter is about to make. Raises SecurityError if it is too much."""
    given = {str(index): value for index, value in enumerate(args)} | named
    if name == "replace":
        _count_replaced(args[0], *(given[key] for key in ("1", "2", "old", "new") if key in given))
    elif name == "join":
        args[0] = _count_joined(given.get("1", named.get("d", "")), args[0])
    elif name == "sum" and not isinstance(given.get("2", named.get("start", 0)), int | float):
        raise SecurityError("`sum` is for numbers only")
    elif name in ("round", "tojson") and any(
        isinstance(value, int) and abs(value) > 16 for value in [*args[1:], *named.values()]
    ):
        raise SecurityError(f"`{name}` takes numbers up to 16")
    elif name == "sort" and any(isinstance(v, str) and len(v) > SMALL for v in given.values()):
        raise SecurityError("`sort` takes short names of attributes only")


def counted(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter or test that counts what it reads and what it makes."""
    skipped = int(hasattr(run, "jinja_pass_arg"))

    @wraps(run)
    def running(*args: Any, **named: Any) -> Any:
        first, rest = args[:skipped], list(args[skipped:])
        for value in rest:
            if isinstance(value, _SIZED) and len(value) > SMALL:
                spend(len(value))
        if name in _CHECKED:
            _check_filter(name, rest, named)
        return _weigh_made(run(*first, *rest, **named))

    return running


_CHECKED = frozenset(("join", "replace", "round", "sort", "sum", "tojson"))


@pass_context
def _enter(context: Context, weight: int) -> None:
    """Count a body that is entered."""
    spend(abs(weight))


@pass_context
def _enter_each(context: Context, values: Any, weight: int) -> Any:
    """Return the values of a loop, after counting its body for each of them."""
    if hasattr(values, "__len__"):
        spend(abs(weight) * len(values))
        return values
    return _entered(values, weight)


def _entered(values: Iterable[Any], weight: int) -> Iterator[Any]:
    for value in values:
        spend(abs(weight))
        yield value


_OWN = {"~": _join, "weigh": _weigh, "enter": _enter, "enter each": _enter_each}
"""Filters that only `_Counting` writes into templates."""


def _weight(body: Sequence[nodes.Node]) -> int:
    """Return the count of running a body once: what it shows, and the time that its nodes take."""
    weight = _ITEM
    for node in body:
        for each in _with_all_in(node):
            weight += 1 + _CALL * isinstance(each, _CALLS)
            weight += len(each.data) if isinstance(each, nodes.TemplateData) else 0
            weight += SMALL * len(each.nodes) if isinstance(each, nodes.Output) else 0
    return weight


def _is_fixed(node: nodes.Node) -> bool:
    """True for a constant, and for a list of constants."""
    return all(isinstance(each, nodes.Literal | nodes.Pair) for each in _with_all_in(node))


def _with_all_in(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    yield from node.find_all(nodes.Node)


class _Counting(NodeTransformer):
    """Writes the count into a template's syntax tree."""

    def _filtered(self, node: nodes.Node, name: str, *args: nodes.Expr) -> nodes.Filter:
        at = {"lineno": node.lineno, "environment": node.environment}
        return nodes.Filter(node, name, list(args), [], None, None, **at)

    def _constant(self, value: int, node: nodes.Node) -> nodes.Const:
        return nodes.Const(value, lineno=node.lineno, environment=node.environment)

    def visit_Template(self, node: Any) -> Any:  # noqa: N802
        """Count a body whenever it is entered."""
        weight = self._constant(_weight(node.body), node)
        self.generic_visit(node)
        entry = self._filtered(weight, "enter")
        node.body.insert(0, nodes.ExprStmt(entry, lineno=node.lineno, environment=node.environment))
        return node

    visit_Block = visit_Macro = visit_CallBlock = visit_Template  # noqa: N815

    def visit_For(self, node: nodes.For) -> Any:  # noqa: N802
        """Count a loop's body for each value, and again when it calls itself."""
        weight = self._constant(_weight([*node.body, *([node.test] if node.test else [])]), node)
        if node.recursive:
            self.visit_Template(node)
        else:
            self.generic_visit(node)
        node.iter = self._filtered(node.iter, "enter each", weight)
        return node

    def visit_Concat(self, node: nodes.Concat) -> Any:  # noqa: N802
        """Count a text that is put together."""
        self.generic_visit(node)
        at = {"lineno": node.lineno, "environment": node.environment}
        return self._filtered(nodes.List(node.nodes, **at), "~")

    def visit_List(self, node: Any) -> Any:  # noqa: N802
        """Count a list that is made, unless it is the target of an assignment."""
        fixed = _is_fixed(node) or getattr(node, "ctx", "load") != "load"
        self.generic_visit(node)
        return node if fixed else self._filtered(node, "weigh")

    visit_Tuple = visit_Dict = visit_List  # noqa: N815

    def visit_Name(self, node: nodes.Name) -> Any:  # noqa: N802
        """Count the arguments of a macro that are given as one list."""
        is_list = node.ctx == "load" and node.name in ("varargs", "kwargs")
        return self._filtered(node, "weigh") if is_list else node

    def visit_Assign(self, node: nodes.Assign) -> Any:  # noqa: N802
        """Count what a namespace keeps."""
        self.generic_visit(node)
        if isinstance(node.target, nodes.NSRef):
            node.node = self._filtered(node.node, "weigh")
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> Any:  # noqa: N802
        """Count a part that is cut out, and what is looked up."""
        self.generic_visit(node)
        if isinstance(node.arg, nodes.Slice):
            return self._filtered(node, "weigh")
        if not isinstance(node.arg, nodes.Const):
            node.arg = self._filtered(node.arg, "weigh")
        return node

    def visit_Compare(self, node: nodes.Compare) -> Any:  # noqa: N802
        """Count values that are compared, unless one of them is in the template itself."""
        fixed = [_is_fixed(each) for each in (node.expr, *(each.expr for each in node.ops))]
        self.generic_visit(node)
        looks_into = any(each.op in ("in", "notin") for each in node.ops)
        if len(node.ops) == 1 and (fixed[1] or (fixed[0] and not looks_into)):
            return node
        node.expr = self._filtered(node.expr, "weigh")
        for operand in node.ops:
            operand.expr = self._filtered(operand.expr, "weigh")
        return node


_NESTED = "it is nested too deeply"


def _no_jinja(why: str, name: str | None) -> TemplateSyntaxError:
    """Return the error of a template that Python cannot read or compile, in no certain line."""
    return TemplateSyntaxError(why, 0, name)


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox that counts what its templates do; `start_count` comes before each rendering."""

    intercepted_binops = frozenset(("+", "-", "*", "**", "%"))

    def __init__(self, *args: Any, **named: Any) -> None:
        """Store the arguments of Jinja's own environment, and let filters and tests count."""
        super().__init__(*args, **named)
        kept = {key: run for key, run in self.filters.items() if key not in _REFUSED_FILTERS}
        self.filters = {name: counted(name, run) for name, run in kept.items()} | _OWN
        tests: dict[str, Any] = self.tests
        self.tests |= {name: counted(name, tests[name]) for name in _READING_TESTS}

    def compile(
        self,
        source: Any,
        name: str | None = None,
        filename: str | None = None,
        raw: Any = False,
        defer_init: bool = False,
    ) -> Any:
        """Compile a template with the count written into it."""
        # Jinja computes constant expressions while it compiles.
        outer = _left.set([MOST_WORK])
        try:
            if isinstance(source, str):
                source = _Counting().visit(self.parse(source, name, filename))
            return super().compile(source, name, filename, raw, defer_init)
        except (RecursionError, SyntaxError) as error:
            raise _no_jinja(_NESTED, name) from error
        finally:
            _left.reset(outer)

    def parse(self, source: str, name: Any = None, filename: Any = None) -> nodes.Template:
        """Return a template's syntax tree. Raises TemplateSyntaxError if it has none."""
        try:
            return super().parse(source, name, filename)
        except RecursionError as error:
            raise _no_jinja(_NESTED, name) from error
        except ValueError as error:
            raise _no_jinja("a number in it is too long", name) from error

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may read an attribute: of a text few, of a number none."""
        if isinstance(obj, str):
            return attr in _TEXT_METHODS
        if isinstance(obj, _PLAIN):
            return False
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """Return None, so that `str.format` is refused like other methods that pad a text."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return a sum, and of numbers a difference, product or remainder, if it is not too long.

        Raises SecurityError for anything else.
        """
        if operator == "+" and isinstance(left, _SIZED) and isinstance(right, _SIZED):
            _fit(_length(left) + _length(right))
        elif operator in ("*", "**", "%") and not (
            operator != "**" and isinstance(left, int | float) and isinstance(right, int | float)
        ):
            raise SecurityError(f"`{operator}` is for numbers only, and there are no powers")
        return _weigh(super().call_binop(context, operator, left, right))

    def call(self, context: Context, obj: Any, /, *args: Any, **named: Any) -> Any:
        """Return what a function returns, after counting what it reads and makes."""
        owner = getattr(obj, "__self__", None)
        if isinstance(owner, str):
            args = _count_method(owner, obj.__name__, args)
        elif owner is not None or isinstance(obj, type):
            spend(_length([owner, *args, *named.values()]))
        elif len(args) > SMALL:
            spend(len(args))
        return _weigh_made(super().call(context, obj, *args, **named))


def _count_method(owner: str, method: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments of a method of a text, after counting what it reads and makes."""
    if method == "replace":
        _count_replaced(owner, *args)
    elif method == "join":
        args = tuple(_count_joined(owner, each) for each in args)
    elif method not in _AT_AN_END:
        sought = sum(len(each) for each in args if isinstance(each, str))
        _fit(len(owner))
        spend(len(owner) * sought // SMALL)
    return args
