(define (problem gripper-p02) (:domain gripper)
  (:objects
    a b - room
    ball1 ball2 - ball
    left right - hand)
  (:init
    (robot-in a) (empty left) (empty right) (lies-in ball1 a) (lies-in ball2 a))
  (:goal (and
    (lies-in ball1 b) (lies-in ball2 b))))
