(define (problem visits-p02) (:domain visits)
  (:objects
    at-0-0 at-0-1 at-0-2 at-0-3 at-1-0 at-1-1 at-1-2 at-1-3 at-2-0 at-2-1 at-2-2 at-2-3 - place)
  (:init
    (beside at-0-0 at-0-1) (beside at-0-0 at-1-0) (beside at-0-1 at-0-0) (beside at-0-1 at-0-2)
    (beside at-0-1 at-1-1) (beside at-0-2 at-0-1) (beside at-0-2 at-0-3) (beside at-0-2 at-1-2)
    (beside at-0-3 at-0-2) (beside at-0-3 at-1-3) (beside at-1-0 at-0-0) (beside at-1-0 at-1-1)
    (beside at-1-0 at-2-0) (beside at-1-1 at-0-1) (beside at-1-1 at-1-0) (beside at-1-1 at-1-2)
    (beside at-1-1 at-2-1) (beside at-1-2 at-0-2) (beside at-1-2 at-1-1) (beside at-1-2 at-1-3)
    (beside at-1-2 at-2-2) (beside at-1-3 at-0-3) (beside at-1-3 at-1-2) (beside at-1-3 at-2-3)
    (beside at-2-0 at-1-0) (beside at-2-0 at-2-1) (beside at-2-1 at-1-1) (beside at-2-1 at-2-0)
    (beside at-2-1 at-2-2) (beside at-2-2 at-1-2) (beside at-2-2 at-2-1) (beside at-2-2 at-2-3)
    (beside at-2-3 at-1-3) (beside at-2-3 at-2-2) (here at-2-2) (seen at-2-2))
  (:goal (and
    (seen at-0-1) (seen at-0-0) (seen at-1-0) (seen at-0-3) (seen at-2-0) (seen at-2-3))))
