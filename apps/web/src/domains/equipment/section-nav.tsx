import './equipment.css'

export interface Section {
  key: string
  title: string
  count?: number | undefined
}

/** Navigation between the sections of one page, with the number of entries in each. */
export function SectionNav({ items, current, onSelect }: { items: readonly Section[]; current: string; onSelect: (key: string) => void }) {
  return (
    <nav className="eq-nav" aria-label="分区">
      {items.map(({ key, title, count }) => (
        <button
          key={key}
          type="button"
          className="zg-bare"
          aria-current={key === current ? 'true' : undefined}
          onClick={() => onSelect(key)}
        >
          {title}
          {count !== undefined && <span className="count">{count}</span>}
        </button>
      ))}
    </nav>
  )
}
