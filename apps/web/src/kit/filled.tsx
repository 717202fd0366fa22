import type { ReactNode } from 'react'

interface FilledProps {
  part: number
  /** What would fill the bar; of nothing, nothing is filled. */
  whole?: number
  className?: string
  color?: string
  children?: ReactNode
}

/** What is filled of a bar, as wide as its part of the whole; the bar itself is drawn by its parent’s class. */
export const Filled = ({ part, whole = 1, className, color, children }: FilledProps) => (
  <i className={className} style={{ width: `${(whole > 0 ? Math.min(1, part / whole) : 0) * 100}%`, background: color }}>
    {children}
  </i>
)

/** A standing bar whose highest is `px` high. */
export const Standing = ({ part, whole, px, className }: { part: number; whole: number; px: number; className?: string }) => (
  <i className={className} style={{ height: `${whole > 0 ? (part / whole) * px : 0}px` }} />
)

/** The mark of a colour beside its word in a legend. */
export const Swatch = ({ color }: { color: string }) => <i style={{ background: color }} />
