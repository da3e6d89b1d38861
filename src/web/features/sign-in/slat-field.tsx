/** The product's mark, enlarged and divided into frames. */
export function SlatField() {
  return (
    <div aria-hidden className="grid place-items-center overflow-hidden max-desk:hidden">
      <svg viewBox="3 2 19.5 20" className="h-[min(72vh,680px)]">
        <clipPath id="slat-1">
          <path d="M4 3.6a.8.8 0 0 1 1.17-.7L8 4.4v15.2l-2.83 1.5A.8.8 0 0 1 4 20.4z" />
        </clipPath>
        <g clipPath="url(#slat-1)">
          <rect className="fill-pane" x="4" y="-.65" width="4" height="6.12" />
          <rect className="fill-raised" x="4" y="5.74" width="4" height="6.12" />
          <rect className="fill-raised-2" x="4" y="12.14" width="4" height="6.12" />
          <rect className="fill-pane" x="4" y="18.54" width="4" height="6.12" />
        </g>
        <clipPath id="slat-2">
          <path d="M10 5.46l4 2.12v8.84l-4 2.12z" />
        </clipPath>
        <g clipPath="url(#slat-2)">
          <rect className="fill-raised" x="10" y="2.55" width="4" height="6.12" />
          <rect className="fill-pane" x="10" y="8.94" width="4" height="6.12" />
          <rect className="fill-raised-2" x="10" y="15.34" width="4" height="6.12" />
        </g>
        <path className="fill-nav-on" d="M16 8.64l5.1 2.7a.75.75 0 0 1 0 1.32L16 15.36z" />
      </svg>
    </div>
  );
}
