import { createContext, type ReactNode } from 'react'

/** What a ListShell hands to the table in it. Apart from both, so that a page without a table does not load one. */
export const ListContext = createContext<{ actions: ReactNode }>({ actions: null })
