import { type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import { type MapType, mapTypeNames, mapTypes } from '@zhugong/contract/organisation/map-type'
import { Segmented } from 'antd'
import type { Control } from '#kit/control.ts'
import { RestCalendar, restWords } from '../attendance/public.tsx'

/** Value inherited if the group sets none, and the name of its owner; null for the product default. */
interface Above<T> {
  above: { value: T; fromName: string | null } | undefined
}
/** Option value for the inherited map, since the module map has an empty value. */
const asAbove = 'above'
const fromWords = (fromName: string | null | undefined) => (fromName ? `沿用${fromName}的` : '沿用默认')

/** Map type of the group: its own choice or the inherited one. */
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

/** Work calendar of the group: its own, initially a copy of the inherited one, or the inherited one. */
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
