import type { ReactNode } from 'react'

export interface TabProps {
  /** The tab switcher, shown in the title row. */
  tabs: ReactNode
}
