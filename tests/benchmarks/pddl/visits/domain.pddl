;; A walker sees some places of a grid.
(define (domain visits)
  (:requirements :strips :typing)
  (:types place)
  (:predicates (here ?p - place) (seen ?p - place) (beside ?p ?q - place))
  (:action walk :parameters (?from ?to - place)
    :precondition (and (here ?from) (beside ?from ?to))
    :effect (and (here ?to) (seen ?to) (not (here ?from)))))
