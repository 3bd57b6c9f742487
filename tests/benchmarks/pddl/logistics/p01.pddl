(define (problem logistics-p01) (:domain logistics)
  (:objects
    t1 t2 - town
    air-t1 air-t2 - airfield
    t1-p1 t2-p1 - place
    van-t1 van-t2 - van
    plane1 - plane
    x1 x2 - parcel)
  (:init
    (part-of air-t1 t1) (part-of air-t2 t2) (part-of t1-p1 t1) (part-of t2-p1 t2) (parked van-t1 t1-p1)
    (parked van-t2 t2-p1) (parked plane1 air-t2) (lies-at x1 air-t2) (lies-at x2 t2-p1))
  (:goal (and
    (lies-at x1 air-t1) (lies-at x2 t1-p1))))
