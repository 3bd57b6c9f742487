-- What the person said last of just this version of an ability is asked with each of its looks.
CREATE INDEX audit_said_by_version ON audit (action_key, content_hash, position)
WHERE kind IN ('decision', 'settings') AND by_whom = 'person';
