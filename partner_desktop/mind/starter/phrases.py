"""Everything that the starter mind says, in English, and the shape that another language fills.

Templates are filled by `str.format` with texts that are already safe to show (`markdown`).
"""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.domain.run_facts import Risk
from partner_desktop.language.speech_acts.small_talk import Talk
from partner_desktop.mind.starter import chain_phrases
from partner_desktop.mind.starter.chain_phrases import ChainPhrases

#: How to get a model. The window's page is named as its button is.
MODEL_NOTE = (
    "I am answering without a language model; free conversation needs one. Add one on the Models page, "
    "a GGUF file or an OpenAI-compatible server, or type `partner-desktop models use FILE.gguf`."
)


@dataclass(frozen=True)
class Phrases:
    """One language's sentences. Fields with several are turned through, so that the tone stays alive."""

    model_note: str
    talk: dict[Talk, tuple[str, ...]]
    """The first words of the designed answer to small talk."""
    can_do: str
    can_do_nothing: str
    teach: str
    can_do_more: str
    can_do_briefly: str
    """In place of the list, once that was said."""
    alternative: str
    """Between the examples of `can_do_more` and `can_do_briefly`."""
    quoted: str
    example: str
    cannot: str
    code_pasted: str
    cannot_converse: str
    declined: str
    nearest: str
    nearest_end: str
    proposed: dict[Risk, tuple[str, ...]]
    started: str
    initiated: str
    command_ended: str
    command_failed: str
    withheld: str
    withheld_with: str
    no_reason: str
    asked: str
    """With the parameter's name, which makes the question, and its description."""
    asked_plain: str
    """With a description alone: the name is no word, or what is wanted is a number or a yes or no."""
    asked_named: str
    """With the name alone: there is no description."""
    asked_choices: str
    choice: str
    choice_line: str
    choice_end: str
    choice_again: str
    cancel_hint: str
    finished_empty: str
    finished_nothing: str
    failed: str
    failed_because: str
    exit_code: str
    exit_meanings: dict[int, str]
    last_words: str
    cancelled: str
    interrupted: str
    stopped_for_good: str
    rejected: str
    expired: str
    card_expired: str
    reminded: str
    reminded_soon: str
    """Without the time, where it is not known."""
    amended: str
    not_amended: str
    not_amended_because: str
    not_ended: str
    dropped: str
    unsettled: str
    unsettled_one: str
    unsettled_line: str
    unsettled_end: str
    not_last: str
    """A yes to it, when other things were said since."""
    not_last_by_name: str
    """The same, where only these words will do."""
    not_named: str
    yes_to: str
    yes_to_run: str
    """The same for what others named: any title may follow."""
    by_card_only: str
    """In place of both, where no words name it."""
    which_stops: str
    which_stops_end: str
    more_items: str
    more_lines: str
    last_words_of: str
    whole_output: str
    cut_output: str
    yes: str
    no: str
    nothing: str
    and_more: str
    list_separator: str
    gap: str
    """Between two sentences."""
    need_whole_number: str
    need_number: str
    need_yes_or_no: str
    need_choice: str
    need_path: str
    need_quotes: str
    need_object: str
    need_something: str
    too_small: str
    too_large: str
    too_short: str
    too_long: str
    unfit: str
    chain: ChainPhrases


ENGLISH = Phrases(
    model_note=MODEL_NOTE,
    talk={
        Talk.HELLO: ("Hello! Good to see you.", "Hi! I'm here, and ready to do something for you."),
        Talk.THANKS: ("You're welcome!", "Gladly!"),
        Talk.HOW_ARE_YOU: ("All well here, thank you for asking.",),
        Talk.WHO_ARE_YOU: (
            "I'm Partner, a companion on your own computer: I run scripts for you, after you approve them.",
        ),
        Talk.WHAT_CAN_YOU_DO: (
            "I find the right script for what you ask, fill it in, and run it once you approve.",
        ),
        Talk.BYE: ("See you! Everything is kept, we can go on at any time.",),
        Talk.JOKE: ("My best joke is me, trying to be funny without a language model.",),
        Talk.LOVE: ("Love is a bit beyond me: I'm better with files than with feelings.",),
        Talk.MOOD: (
            "Thank you for telling me. I can't talk it over well, but I can take some small work off you.",
        ),
        Talk.PRAISE: ("Thank you, that is nice to hear!",),
        Talk.SORRY: ("No harm done.",),
    },
    can_do="Here and now you could ask me, for example:",
    can_do_nothing="There is nothing that I could do for you yet.",
    teach="Drop a script on my window, or put it into `action/dynamic`, and I can do more at once.",
    can_do_more="If there is more, say for example {examples}.",
    can_do_briefly="You could say, for example, {examples}.",
    alternative=" or ",
    quoted="“{words}”",
    example="“{words}” ({title})",
    cannot="I can't do that here.",
    code_pasted="That is code. Say “make this an ability”, and I make one of it: you look it over first.",
    cannot_converse="I can't answer that: it takes free conversation.",
    declined="Fine, I won't.",
    nearest="I have nothing that does quite that. The nearest:",
    nearest_end="Say one of these in such words and I'll prepare it for you.",
    proposed={
        Risk.READ: (
            "I can do that with {title}: look it over and approve it.",
            "{title} does that: have a look and approve it.",
        ),
        Risk.WRITE: (
            "I can do that with {title}: look it over and approve it.",
            "{title} does that. It may change things, so look it over before you approve.",
        ),
        Risk.SYSTEM: (
            "I can do that with {title}. It runs with your own rights: read it closely before you approve.",
            "{title} does that, and nothing holds it back: please read it closely before you approve.",
        ),
    },
    started="I started {title}.",
    initiated="I wanted to come back to this: {text}",
    command_ended="The command in the background is done: {command}.",
    command_failed="The command in the background did not end well: {command}. {error}",
    withheld="Nothing ran. It would have been {title}. {reason}",
    withheld_with="Nothing ran. It would have been {title} with {arguments}. {reason}",
    no_reason="It is not allowed here.",
    asked="Which {param}? {title} needs to know: {hint}.",
    asked_plain="What should it be? {title} needs to know: {hint}.",
    asked_named="What should the {param} be? {title} needs to know.",
    asked_choices="It can be {choices}.",
    choice="More than one thing here could be meant:",
    choice_line="{number}. {title}: {told}",
    choice_end="Which one? A number or a name will do.",
    choice_again="I could not tell which of these you mean:",
    cancel_hint="(“cancel” drops it.)",
    finished_empty="Done: it printed nothing.",
    finished_nothing="Done: the result is empty.",
    failed="{title} did not work.",
    failed_because="{title} did not work: {error}",
    exit_code="It ended with exit code {code}.",
    exit_meanings={
        2: "often a wrong or missing argument",
        126: "found, but it may not be run",
        127: "a command was not found",
        130: "interrupted from outside",
        137: "killed, often for want of memory",
        139: "it crashed",
        143: "told to end from outside",
    },
    last_words="Its last words:",
    cancelled="{title} was stopped. What it had done until then stays done.",
    interrupted="{title} was running when Partner closed, and may have done part of its work. "
    "Ask me again and I'll prepare it anew.",
    stopped_for_good="{title} was running when Partner closed, and may have done part of its work. "
    "It does not go on: {error}",
    rejected="Fine, I left it.",
    expired="My question about {title} timed out: there was no answer for half an hour, so nothing ran. "
    "Ask me again whenever you like.",
    card_expired="{title} waited half an hour for your yes and timed out: nothing ran. "
    "“Run again” on its card asks you anew.",
    reminded="{title} still waits for your yes; it expires at {time}.",
    reminded_soon="{title} still waits for your yes; it expires soon.",
    amended="I changed {title} to {arguments}. Nothing ran yet: look it over and approve it again.",
    not_amended="I could not find what to change in {title}, so nothing ran. It still waits: "
    "change it on its card, or say yes or no.",
    not_amended_because="I could not change {title} so, and nothing ran: {reason} It still waits as it was.",
    not_ended="{title} has not ended yet.",
    dropped="Dropped: I won't do {title}.",
    unsettled="More than one thing is waiting for you. Which do you mean?",
    unsettled_one="{title} still waits: I run it on a plain yes only. Say yes, no, or what to change.",
    unsettled_line="{number}. {title}",
    unsettled_end="For example: “yes, the first” or “no to all”.",
    not_last="Do you mean {title}? We have talked of other things since. Say yes, no, or what to change.",
    not_last_by_name=(
        "Do you mean {title}? We have talked of other things since, and nothing holds it back: "
        "say “{words}”, or use its card."
    ),
    not_named="Nothing holds {title} back, so a bare yes is too little: say “{words}”, or use its card.",
    yes_to="yes, {name}",
    yes_to_run="yes, run {name}",
    by_card_only="Nothing holds {title} back, so no words are enough: please approve it on its card.",
    which_stops="More than one thing is running. Which shall I stop?",
    which_stops_end="For example: “stop the first” or “stop all”.",
    more_items="… and {count} more",
    more_lines="… {count} more lines",
    last_words_of="The last {shown} of its {count} lines:",
    whole_output="The whole output is in {path}.",
    cut_output="The output was cut.",
    yes="yes",
    no="no",
    nothing="none",
    and_more="{items} and {count} more",
    list_separator=", ",
    gap=" ",
    need_whole_number="I need a whole number here, for example 12.",
    need_number="I need a number here, for example 2.5.",
    need_yes_or_no="I need a yes or a no here.",
    need_choice="I need one of these here: {choices}.",
    need_path="I need a file or folder here, for example ~/Documents/notes.txt.",
    need_quotes="A quotation mark in there has no partner, so I can't tell where a part ends.",
    need_object="I need a JSON object here, for example {example}.",
    need_something="I need something here, and found nothing.",
    too_small="That is too small: {limit} is the least.",
    too_large="That is too large: {limit} is the most.",
    too_short="That is too short for this.",
    too_long="That is too long for this.",
    unfit="That does not fit here.",
    chain=chain_phrases.ENGLISH,
)
