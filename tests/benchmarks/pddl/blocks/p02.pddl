(define (problem blocks-p02) (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 - block)
  (:init
    (on-table b4) (clear b1) (on b1 b4) (on-table b3) (clear b5) (on b2 b3) (on b5 b2) (hand-empty))
  (:goal (and
    (on b2 b3) (on b4 b2) (on b5 b4) (on b1 b5))))
