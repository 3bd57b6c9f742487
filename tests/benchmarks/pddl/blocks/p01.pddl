(define (problem blocks-p01) (:domain blocks)
  (:objects
    b1 b2 b3 b4 - block)
  (:init
    (on-table b2) (clear b4) (on b3 b2) (on b1 b3) (on b4 b1) (hand-empty))
  (:goal (and
    (on b3 b1) (on b2 b3))))
