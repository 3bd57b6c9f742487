(define (problem logistics-p02) (:domain logistics)
  (:objects
    t1 t2 - town
    air-t1 air-t2 - airfield
    t1-p1 t2-p1 - place
    van-t1 van-t2 - van
    plane1 - plane
    x1 x2 x3 x4 - parcel)
  (:init
    (part-of air-t1 t1) (part-of air-t2 t2) (part-of t1-p1 t1) (part-of t2-p1 t2) (parked van-t1 t1-p1)
    (parked van-t2 t2-p1) (parked plane1 air-t2) (lies-at x1 air-t2) (lies-at x2 air-t1)
    (lies-at x3 t2-p1) (lies-at x4 t2-p1))
  (:goal (and
    (lies-at x1 t2-p1) (lies-at x2 air-t2) (lies-at x3 air-t2) (lies-at x4 t1-p1))))
