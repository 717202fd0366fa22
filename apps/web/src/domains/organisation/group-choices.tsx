import { type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import { type MapType, mapTypeNames, mapTypes } from '@zhugong/contract/organisation/map-type'
import { Segmented } from 'antd'
import type { Control } from '#kit/control.ts'
import { RestCalendar, restWords } from '../attendance/public.tsx'

/** What holds where the group has not said, and whose it is; the product's own without a name. */
interface Above<T> {
  above: { value: T; fromName: string | null } | undefined
}
/** The module map's own value is empty: what is left to those above needs a word. */
const asAbove = 'above'
const fromWords = (fromName: string | null | undefined) => (fromName ? `沿用${fromName}的` : '沿用默认')

/** On what ground the group's maps are drawn: its own choice, or that of those above. */
export function MapTypeInput({ value, onChange, above, id, disabled }: Control<MapType> & Above<MapType>) {
  return (
    <Segmented<string>
      id={id}
      disabled={disabled}
      aria-label="地图类型"
      value={value ?? asAbove}
      options={[
        { value: asAbove, label: `${fromWords(above?.fromName)}${mapTypeNames[above?.value ?? mapTypes.module]}` },
        { value: mapTypes.module, label: mapTypeNames[mapTypes.module] },
        { value: mapTypes.world, label: mapTypeNames[mapTypes.world] },
      ]}
      onChange={(next) => onChange?.(Object.values(mapTypes).find((one) => one === next))}
    />
  )
}

/** The group's working calendar: its own, begun from what it followed, or that of those above. */
export function CalendarInput({ value, onChange, above, id, disabled }: Control<RestDays> & Above<RestDays>) {
  const followed = above?.value ?? weekends
  return (
    <div id={id}>
      <Segmented<string>
        disabled={disabled}
        aria-label="工作日历"
        value={value ? 'own' : asAbove}
        options={[
          { value: asAbove, label: `${fromWords(above?.fromName)}日历` },
          { value: 'own', label: '本组自定' },
        ]}
        onChange={(next) => onChange?.(next === 'own' ? followed : undefined)}
      />
      {value ? (
        <div className="org-calendar">
          <RestCalendar value={value} onChange={onChange} />
        </div>
      ) : (
        <p className="zg-2">{restWords(followed)}</p>
      )}
    </div>
  )
}
