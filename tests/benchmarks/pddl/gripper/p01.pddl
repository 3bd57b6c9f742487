(define (problem gripper-p01) (:domain gripper)
  (:objects
    a b - room
    ball1 - ball
    left right - hand)
  (:init
    (robot-in a) (empty left) (empty right) (lies-in ball1 a))
  (:goal (and
    (lies-in ball1 b))))
