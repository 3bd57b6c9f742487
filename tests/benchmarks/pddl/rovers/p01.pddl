(define (problem rovers-p01) (:domain rovers)
  (:objects
    r1 - rover
    s1 s2 s3 s4 - spot
    o1 - target)
  (:init
    (path r1 s1 s2) (path r1 s1 s3) (path r1 s2 s1) (path r1 s2 s3) (path r1 s3 s1) (path r1 s3 s2)
    (path r1 s3 s4) (path r1 s4 s3) (stands r1 s2) (free-store r1) (calibration-spot r1 s1)
    (lander-seen s1) (lander-seen s2) (sample-at s4) (sample-at s1) (visible o1 s2) (visible o1 s1))
  (:goal (and
    (sent-sample s4) (sent-sample s1) (sent-picture o1))))
