import { useState } from 'react'

/** Two photographs of one place over each other; the slider moves the border between them. */
export function Compare({ before, after, name }: { before: string; after: string; name: string }) {
  const [share, setShare] = useState(50)
  return (
    <div className="rectify-compare">
      <div>
        <img src={after} alt={`${name} 整改后`} />
        <img src={before} alt={`${name} 整改前`} style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }} />
        <i style={{ insetInlineStart: `${share}%` }} />
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={`${name}：左为整改前，右为整改后`}
        onChange={(event) => setShare(Number(event.target.value))}
      />
    </div>
  )
}
