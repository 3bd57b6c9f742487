(define (problem elevator-p03) (:domain elevator)
  (:objects
    f1 f2 f3 f4 f5 f6 f7 f8 - floor
    p1 p2 p3 p4 - person)
  (:init
    (above f1 f2) (above f1 f3) (above f1 f4) (above f1 f5) (above f1 f6) (above f1 f7) (above f1 f8)
    (above f2 f3) (above f2 f4) (above f2 f5) (above f2 f6) (above f2 f7) (above f2 f8) (above f3 f4)
    (above f3 f5) (above f3 f6) (above f3 f7) (above f3 f8) (above f4 f5) (above f4 f6) (above f4 f7)
    (above f4 f8) (above f5 f6) (above f5 f7) (above f5 f8) (above f6 f7) (above f6 f8) (above f7 f8)
    (lift-at f3) (waits p1 f4) (wants p1 f7) (waits p2 f5) (wants p2 f4) (waits p3 f3) (wants p3 f6)
    (waits p4 f6) (wants p4 f8))
  (:goal (and
    (served p1) (served p2) (served p3) (served p4))))
