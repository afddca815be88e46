"""Checks of Schemathesis where OpenAPI cannot state what the interfaces accept (decisions 2.42)."""

import schemathesis
from schemathesis.checks import CHECKS

MAX_FILTERS = 20


def is_jsonp(case):
    """An error in JSONP has status 200, and its real status in the envelope (decisions 2.15)."""
    return "callback" in (case.query or {})


def has_empty_value(case):
    """A parameter with an empty value counts as absent (decisions 2.17)."""
    return any(value in ("", [], None) for value in (case.query or {}).values())


# The names in `fields` depend on the scope (decisions 2.21), no schema states which dates exist (decisions 2.30), and a
# property of `sort` that is named twice counts once (decisions 2.23). A search needs 1 to 20 words (decisions 2.40).
INEXPRESSIBLE = (
    "fields names the unknown property",
    "must be an ISO 8601 date",
    "sort names more than 8 properties",
    "q has no letters or digits",
    "q has more than 20 words",
)


def is_inexpressible(response):
    """Whether a 400, in any format, has a cause that no schema can exclude."""
    text = " ".join(response.content.decode("utf-8", "replace").split())
    return response.status_code == 400 and any(cause in text for cause in INEXPRESSIBLE)


def has_extension_of_another_path(case):
    """Stateful tests reuse the extension of one path at others, whose lists of extensions do not have it."""
    parameter = case.operation.path_parameters.get("extension")
    return parameter is not None and case.path_parameters["extension"] not in parameter.definition["schema"]["enum"]


@schemathesis.check
def invalid_request_rejected(ctx, response, case):
    if is_jsonp(case) or has_empty_value(case):
        return None
    return CHECKS.get_one("negative_data_rejection")(ctx, response, case)


@schemathesis.check
def valid_request_accepted(ctx, response, case):
    # A query has at most 20 filters (decisions 2.19).
    if len(case.query or {}) > MAX_FILTERS or is_inexpressible(response) or has_extension_of_another_path(case):
        return None
    return CHECKS.get_one("positive_data_acceptance")(ctx, response, case)


@schemathesis.check
def other_method_refused(ctx, response, case):
    return None if is_jsonp(case) else CHECKS.get_one("unsupported_method")(ctx, response, case)
