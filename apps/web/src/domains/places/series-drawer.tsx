import { createPlaces, type SitePlace } from '@zhugong/contract/places/places'
import { mostAtOnce, type PlaceSeries, plannedFloors, seriesFault, sizeOf } from '@zhugong/contract/places/series'
import { listUnitProjects, type UnitProject } from '@zhugong/contract/places/units'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { Labelled } from './labelled.tsx'

interface SeriesDrawerProps {
  projectCode: string
  /** The building that gets floors; null: a new one. */
  building: SitePlace | null
  onClose: () => void
  onMade: (id: string) => void
}
interface Written {
  building: string
  unitId: string | null
  units: string
  from: number | null
  to: number | null
  rooms: number | null
  floorName: string
  roomName: string
}
const empty: Written = { building: '', unitId: null, units: '', from: 1, to: 6, rooms: 4, floorName: '{层}层', roomName: '{层}{序}' }

const seriesOf = ({ units, from, to, rooms, floorName, roomName }: Written): PlaceSeries => ({
  units: units.split(/[,，、\s]+/).filter(Boolean),
  from: from ?? 1,
  to: to ?? 1,
  rooms: rooms ?? 0,
  floorName,
  roomName,
})

/** A building as its unit of the works tells: its name and floors. */
const fromUnit = ({ id, name, floorsUp, floorsDown }: UnitProject): Partial<Written> => ({
  unitId: id,
  building: name,
  from: floorsDown ? -floorsDown : 1,
  to: floorsUp || -1,
})

/** Floors n to m with rooms by a pattern; the preview shows every name before anything is saved. */
export function SeriesDrawer({ projectCode, building, onClose, onMade }: SeriesDrawerProps) {
  const act = useAct(createPlaces, {
    success: ({ created, kept }) => `已生成 ${created} 个部位${kept ? `，${kept} 个已存在` : ''}`,
    onDone: ({ buildingId }) => {
      onClose()
      onMade(buildingId)
    },
  })
  const units = useCall(listUnitProjects, { query: { projectCode } }, { quiet: true, enabled: building === null })
  const [written, setWritten] = useState(empty)
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Written>) => setWritten({ ...written, ...change })
  const series = seriesOf(written)
  const fault = seriesFault(series)
  const floors = fault ? [] : plannedFloors(series)
  const size = sizeOf(floors) + (building ? 0 : 1)
  const errors: Readonly<Record<string, string>> = {
    ...act.fieldErrors,
    ...(fault ? { [fault.field]: fault.message } : {}),
    ...(tried && building === null && written.building === '' ? { building: '请填写楼栋名称' } : {}),
  }
  const save = async () => {
    setTried(true)
    if (fault || (building === null && written.building === '')) return
    await act.run(
      { body: { projectCode, parentId: building?.id ?? null, building: written.building, unitId: written.unitId, ...series } },
      { fieldsShown: true },
    )
  }
  return (
    <FormSheet
      title={building ? `在 ${building.name} 生成楼层与房间` : '批量生成楼栋'}
      remark={fault ? undefined : `共 ${size} 个部位，已有的不重复生成`}
      saveText="生成"
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={written !== empty}
      width={560}
    >
      {building === null && (
        <>
          <Labelled label="对应单体工程（可不选）" problem={errors.unitId}>
            {(id) => (
              <Choice
                id={id}
                options={(units.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
                value={written.unitId}
                onChange={(unitId) => {
                  const unit = units.data?.list.find((one) => one.id === unitId)
                  set(unit ? fromUnit(unit) : { unitId: null })
                }}
              />
            )}
          </Labelled>
          <Labelled label="楼栋名称" problem={errors.building}>
            {(id) => (
              <Input
                id={id}
                maxLength={50}
                placeholder="例如 1# 楼"
                value={written.building}
                onChange={(event) => set({ building: event.target.value })}
              />
            )}
          </Labelled>
        </>
      )}
      <Labelled label="单元（可不填，用逗号分开）" problem={errors.units}>
        {(id) => (
          <Input
            id={id}
            maxLength={120}
            placeholder="例如 1 单元，2 单元"
            value={written.units}
            onChange={(event) => set({ units: event.target.value })}
          />
        )}
      </Labelled>
      <div className="place-pair">
        <Labelled label="起层（地下为负数）" problem={errors.from}>
          {(id) => <NumberInput id={id} min={-10} max={200} value={written.from} onChange={(from) => set({ from: from ?? null })} />}
        </Labelled>
        <Labelled label="止层" problem={errors.to}>
          {(id) => <NumberInput id={id} min={-10} max={200} value={written.to} onChange={(to) => set({ to: to ?? null })} />}
        </Labelled>
        <Labelled label="每层房间数" problem={errors.rooms}>
          {(id) => <NumberInput id={id} min={0} max={60} value={written.rooms} onChange={(rooms) => set({ rooms: rooms ?? null })} />}
        </Labelled>
        <Labelled label="楼层名称" problem={errors.floorName}>
          {(id) => <Input id={id} maxLength={20} value={written.floorName} onChange={(event) => set({ floorName: event.target.value })} />}
        </Labelled>
        <Labelled label="房间名称" problem={errors.roomName}>
          {(id) => <Input id={id} maxLength={30} value={written.roomName} onChange={(event) => set({ roomName: event.target.value })} />}
        </Labelled>
      </div>
      <p className="zg-2">
        {'{层}'} 代表楼层号，{'{序}'} 代表两位房间序号；地下层不生成房间。一次最多 {mostAtOnce} 个。
      </p>
      {fault ? (
        <Notice tone="warning">{fault.message}</Notice>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section aria-label="预览" tabIndex={0} className="place-preview">
          <ul>
            {floors.map((floor) => (
              <li key={`${floor.unit} ${floor.name}`}>
                <span>{[floor.unit, floor.name].filter(Boolean).join(' ')}</span>
                <span className="zg-2">{floor.rooms.length > 0 ? floor.rooms.join('、') : '不分房间'}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormSheet>
  )
}
