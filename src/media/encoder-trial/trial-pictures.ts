/** Hard to encode in different ways: 1080x1920 at 30 frames per second, by lavfi. */
export const TRIAL_PICTURES = {
  motion: [
    "mandelbrot=s=540x960:r=30:maxiter=150:start_scale=1.6:end_scale=0.002:end_pts=450:start_x=-0.743643887:start_y=-0.131825904",
    "noise=alls=2:allf=t:all_seed=5,scale=1080:1920",
  ].join(","),
  animation: "testsrc2=s=1080x1920:r=30",
  dark: "gradients=s=540x960:r=30:nb_colors=3:c0=0x05060a:c1=0x12101c:c2=0x281c18:speed=0.015:seed=3,noise=alls=2:allf=t:all_seed=5,scale=1080:1920",
};
