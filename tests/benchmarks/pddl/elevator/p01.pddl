(define (problem elevator-p01) (:domain elevator)
  (:objects
    f1 f2 f3 f4 - floor
    p1 p2 - person)
  (:init
    (above f1 f2) (above f1 f3) (above f1 f4) (above f2 f3) (above f2 f4) (above f3 f4) (lift-at f1)
    (waits p1 f4) (wants p1 f1) (waits p2 f4) (wants p2 f1))
  (:goal (and
    (served p1) (served p2))))
