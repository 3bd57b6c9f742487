(define (problem gripper-p04) (:domain gripper)
  (:objects
    a b - room
    ball1 ball2 ball3 ball4 - ball
    left right - hand)
  (:init
    (robot-in a) (empty left) (empty right) (lies-in ball1 a) (lies-in ball2 a) (lies-in ball3 a)
    (lies-in ball4 a))
  (:goal (and
    (lies-in ball1 b) (lies-in ball2 b) (lies-in ball3 b) (lies-in ball4 b))))
