import type { ReactNode } from 'react'

interface FilledProps {
  part: number
  /** The value of a full bar; with 0 the bar stays empty. */
  whole?: number
  className?: string
  color?: string
  children?: ReactNode
}

/** The filled part of a horizontal bar; the parent's class draws the bar itself. */
export const Filled = ({ part, whole = 1, className, color, children }: FilledProps) => (
  <i className={className} style={{ width: `${(whole > 0 ? Math.min(1, part / whole) : 0) * 100}%`, background: color }}>
    {children}
  </i>
)

/** A vertical bar; the bar of `whole` is `px` high. */
export const ShareBar = ({ part, whole, px, className }: { part: number; whole: number; px: number; className?: string }) => (
  <i className={className} style={{ height: `${whole > 0 ? (part / whole) * px : 0}px` }} />
)

/** The colour mark of a legend entry. */
export const Swatch = ({ color }: { color: string }) => <i style={{ background: color }} />
