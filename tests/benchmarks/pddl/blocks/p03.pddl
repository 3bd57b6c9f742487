(define (problem blocks-p03) (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 - block)
  (:init
    (on-table b2) (clear b3) (on b3 b2) (on-table b6) (clear b4) (on b5 b6) (on b1 b5) (on b4 b1)
    (hand-empty))
  (:goal (and
    (on b5 b1) (on b3 b5) (on b2 b6))))
