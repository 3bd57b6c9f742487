"""Every error that Partner raises on purpose.

PartnerError
├── UsageError            the caller asked for something that cannot be asked (exit 2)
│   ├── UnknownOperationError  there is no operation of this name
│   ├── ParametersError   an operation cannot take what it was given
│   ├── TooLargeError     what was given, or would be the answer, is larger than anything one could need
│   ├── CallerError       whoever asks may not ask for this
│   ├── RequestError      what came over a wire is no request
│   └── CancelledRequestError  whoever asked took it back
├── ResultError           what an operation gave cannot be told outside this process
├── StorageError          the database cannot be used
│   ├── NewerSchemaError  it was written by a newer Partner
│   ├── CorruptError      it cannot be read
│   └── DiskFullError     the disk has no room left
├── BackupError           a backup cannot be written, or a file is none that can be restored
├── HostError             the home's host cannot be reached or become
│   └── HostGoneError     it ended before it heard the request
├── ConfigError           settings cannot be used or changed
├── GatewayError          a gateway cannot be opened, or what came through it does not fit
├── WiringError           parts that do not fit together; the launch stops
├── DescriptorError       a script or its description cannot become an ability
├── ModelError            a model cannot be used: its file, its engine, its worker or its server
│   ├── ContextOverflowError  a prompt is longer than the model can hold
│   ├── UnseenPictureError  a model that is to see cannot see what is shown
│   │   └── ProjectorError  nor anything else, for its projector cannot be used
│   ├── WorkerLostError   the process of a model ended under a request, again and again
│   └── SchemaError       no constraint can be made of a schema
├── PermissionDeniedError a run without an allowing decision
├── AgentError            an agent cannot be run, or one of its steps cannot go on
└── ActionError           an action went wrong
    ├── TryAgainError     the same call may succeed later
    ├── TellMindError     the mind should choose something else
    └── AskHumanError     only the person can settle it

An error is raised with the id of a message and its values: `DiskFullError("storage.full", folder=…)`. Its
sentence, for a person, says what happened, where and what to do; it is made when it is shown, in the language
of whoever reads it then (`base.messages`). What came as a sentence, from another process or program, is the
value `text` of `common.told`. `code` is for programs.
"""

from __future__ import annotations

from typing import ClassVar


class PartnerError(Exception):
    """Root of the tree; `str(error)` is fit to be shown.

    A value is text, a number, another error or a `LazySentence`, which are said in the same language.
    """

    code: ClassVar[str] = "failed"

    def __init__(self, message_id: str, /, **values: object) -> None:
        super().__init__(message_id)
        self.message_id = message_id
        self.values = values

    def __str__(self) -> str:
        from partner_desktop.base.messages import shown_sentence  # noqa: PLC0415 - a start shows no error

        return shown_sentence(self.message_id, self.values)


class UsageError(PartnerError):
    """The caller asked for something that cannot be asked."""

    code = "usage"


class UnknownOperationError(UsageError):
    """There is no operation of this name."""

    code = "unknown_operation"


class ParametersError(UsageError):
    """An operation cannot take what it was given."""

    code = "invalid_parameters"


class TooLargeError(UsageError):
    """What was given, or would be the answer, is larger than anything one could need."""

    code = "too_large"


class CallerError(UsageError):
    """Whoever asks may not ask for this."""

    code = "not_allowed"


class RequestError(UsageError):
    """What came over a wire is no request."""

    code = "invalid_request"


class CancelledRequestError(UsageError):
    """Whoever asked took it back."""

    code = "cancelled"


class ResultError(PartnerError):
    """What an operation gave cannot be told outside this process."""

    code = "unencodable_result"


class StorageError(PartnerError):
    """The database cannot be used."""

    code = "storage"


class NewerSchemaError(StorageError):
    """The database was written by a newer Partner."""


class CorruptError(StorageError):
    """The database cannot be read."""


class DiskFullError(StorageError):
    """The disk has no room left for the database."""


class BackupError(PartnerError):
    """A backup cannot be written, or a file is none that can be restored."""

    code = "backup"


class HostError(PartnerError):
    """The home's host cannot be reached or become."""

    code = "host"


class HostGoneError(HostError):
    """The host ended before the request reached it: asking the next one does nothing twice."""

    code = "host_gone"


class ConfigError(PartnerError):
    """Settings cannot be used or changed."""

    code = "config"


class GatewayError(PartnerError):
    """A gateway cannot be opened, or what came through it does not fit."""

    code = "gateway"


class WiringError(PartnerError):
    """Parts that do not fit together: a mistake in the code, told in English to whoever wrote it."""

    def __init__(self, sentence: str) -> None:
        super().__init__("common.told", text=sentence)


class DescriptorError(PartnerError):
    """A script or its description cannot become an ability.

    `line` is 1-based where the text has one.
    """

    code = "descriptor"

    def __init__(self, message_id: str, /, *, line: int | None = None, **values: object) -> None:
        super().__init__(message_id, **values)
        self.line = line


class ModelError(PartnerError):
    """A model cannot be used: its file, its engine or its worker."""

    code = "model"


class ContextOverflowError(ModelError):
    """A prompt, with room for its answer, is longer than the model can hold; `prompt_tokens` is exact."""

    def __init__(
        self, message_id: str, /, *, prompt_tokens: int, context_tokens: int, **values: object
    ) -> None:
        super().__init__(message_id, **values)
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens


class OutOfMemoryError(ModelError):
    """A model does not fit into memory, or was ended for want of it, with this context; 0: unknown."""

    def __init__(self, message_id: str, /, *, context_tokens: int = 0, **values: object) -> None:
        super().__init__(message_id, **values)
        self.context_tokens = context_tokens


class UnseenPictureError(ModelError):
    """A model that is to see cannot see what is shown."""


class ProjectorError(UnseenPictureError):
    """What sees for a model, its projector, cannot be used."""


class WorkerLostError(ModelError):
    """The process of a model ended under a request, and under it again when it was sent once more."""


class SchemaError(ModelError):
    """No constraint can be made of a schema."""


class PermissionDeniedError(PartnerError):
    """A run was asked for without a decision that allows it."""

    code = "permission_denied"


class AgentError(PartnerError):
    """An agent cannot be run, or one of its steps cannot go on: trying again would not help."""

    code = "agent"


class ActionError(PartnerError):
    """An action went wrong."""

    code = "action"


class TryAgainError(ActionError):
    """The same call may succeed later."""


class TellMindError(ActionError):
    """The mind should choose something else."""


class AskHumanError(ActionError):
    """Only the person can settle it."""


def coded_error(code: str, message_id: str, /, **values: object) -> PartnerError:
    """The error that another process told of; the nearest class above it that has this code."""
    classes = [PartnerError]
    for each in classes:
        classes += each.__subclasses__()
    nearest = next((each for each in classes if each.code == code), PartnerError)
    return nearest(message_id, **values)
