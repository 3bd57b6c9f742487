(define (problem gripper-p05) (:domain gripper)
  (:objects
    a b - room
    ball1 ball2 ball3 ball4 ball5 ball6 - ball
    left right - hand)
  (:init
    (robot-in a) (empty left) (empty right) (lies-in ball1 a) (lies-in ball2 a) (lies-in ball3 a)
    (lies-in ball4 a) (lies-in ball5 a) (lies-in ball6 a))
  (:goal (and
    (lies-in ball1 b) (lies-in ball2 b) (lies-in ball3 b) (lies-in ball4 b) (lies-in ball5 b)
    (lies-in ball6 b))))
