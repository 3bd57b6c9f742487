(define (problem elevator-p05) (:domain elevator)
  (:objects
    f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 - floor
    p1 p2 p3 p4 p5 p6 - person)
  (:init
    (above f1 f2) (above f1 f3) (above f1 f4) (above f1 f5) (above f1 f6) (above f1 f7) (above f1 f8)
    (above f1 f9) (above f1 f10) (above f2 f3) (above f2 f4) (above f2 f5) (above f2 f6) (above f2 f7)
    (above f2 f8) (above f2 f9) (above f2 f10) (above f3 f4) (above f3 f5) (above f3 f6) (above f3 f7)
    (above f3 f8) (above f3 f9) (above f3 f10) (above f4 f5) (above f4 f6) (above f4 f7) (above f4 f8)
    (above f4 f9) (above f4 f10) (above f5 f6) (above f5 f7) (above f5 f8) (above f5 f9) (above f5 f10)
    (above f6 f7) (above f6 f8) (above f6 f9) (above f6 f10) (above f7 f8) (above f7 f9) (above f7 f10)
    (above f8 f9) (above f8 f10) (above f9 f10) (lift-at f9) (waits p1 f6) (wants p1 f3) (waits p2 f6)
    (wants p2 f3) (waits p3 f5) (wants p3 f7) (waits p4 f5) (wants p4 f1) (waits p5 f9) (wants p5 f5)
    (waits p6 f6) (wants p6 f2))
  (:goal (and
    (served p1) (served p2) (served p3) (served p4) (served p5) (served p6))))
