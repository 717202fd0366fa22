import { createContext, type ReactNode } from 'react'

/** What a ListShell passes to its table. In a file of its own, so that a page without a table does not load the table. */
export const ListContext = createContext<{ actions: ReactNode }>({ actions: null })
