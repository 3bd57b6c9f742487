(define (problem elevator-p02) (:domain elevator)
  (:objects
    f1 f2 f3 f4 f5 f6 - floor
    p1 p2 p3 - person)
  (:init
    (above f1 f2) (above f1 f3) (above f1 f4) (above f1 f5) (above f1 f6) (above f2 f3) (above f2 f4)
    (above f2 f5) (above f2 f6) (above f3 f4) (above f3 f5) (above f3 f6) (above f4 f5) (above f4 f6)
    (above f5 f6) (lift-at f1) (waits p1 f2) (wants p1 f6) (waits p2 f3) (wants p2 f2) (waits p3 f4)
    (wants p3 f1))
  (:goal (and
    (served p1) (served p2) (served p3))))
