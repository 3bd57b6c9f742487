(define (problem rovers-p02) (:domain rovers)
  (:objects
    r1 - rover
    s1 s2 s3 s4 s5 s6 - spot
    o1 o2 - target)
  (:init
    (path r1 s1 s3) (path r1 s2 s3) (path r1 s2 s4) (path r1 s2 s5) (path r1 s3 s1) (path r1 s3 s2)
    (path r1 s3 s4) (path r1 s3 s6) (path r1 s4 s2) (path r1 s4 s3) (path r1 s4 s5) (path r1 s5 s2)
    (path r1 s5 s4) (path r1 s6 s3) (stands r1 s5) (free-store r1) (calibration-spot r1 s6)
    (lander-seen s6) (lander-seen s4) (sample-at s6) (sample-at s1) (sample-at s5) (visible o1 s5)
    (visible o1 s3) (visible o2 s3) (visible o2 s4))
  (:goal (and
    (sent-sample s6) (sent-sample s1) (sent-sample s5) (sent-picture o1) (sent-picture o2))))
