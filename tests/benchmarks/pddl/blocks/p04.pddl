(define (problem blocks-p04) (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 - block)
  (:init
    (on-table b4) (clear b5) (on b6 b4) (on b2 b6) (on b1 b2) (on b3 b1) (on b5 b3) (on-table b7)
    (clear b7) (hand-empty))
  (:goal (and
    (on b7 b4) (on b1 b7) (on b6 b5) (on b2 b3))))
