"""Ten things that a person does with Partner, each of them with three minds."""
