(define (problem blocks-p05) (:domain blocks)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 - block)
  (:init
    (on-table b5) (clear b5) (on-table b7) (clear b8) (on b8 b7) (on-table b3) (clear b4) (on b4 b3)
    (on-table b2) (clear b2) (on-table b6) (clear b1) (on b1 b6) (hand-empty))
  (:goal (and
    (on b4 b7) (on b2 b4) (on b8 b1) (on b6 b3) (on b5 b6))))
