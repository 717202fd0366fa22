import { type PlaceKind, placeWords } from '@zhugong/contract/places/kinds'
import { changePlace, createPlaces, orderPlaces, removePlace, type SitePlace, type SitePlan } from '@zhugong/contract/places/places'
import { kindsIn } from '@zhugong/contract/places/tree'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Notice, Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { ChangePlace, CopyRooms } from './place-forms.tsx'
import { PlanCard } from './plan-card.tsx'

interface PlaceCardProps {
  projectCode: string
  place: SitePlace
  list: readonly SitePlace[]
  plans: readonly SitePlan[]
  may: boolean
  onSelect: (id: string | undefined) => void
  onAdd: (kind: PlaceKind) => void
  onSeries: () => void
}

/** One place: its name and order, what lies in it, its plan. */
export function PlaceCard({ projectCode, place, list, plans, may, onSelect, onAdd, onSeries }: PlaceCardProps) {
  const [open, setOpen] = useState<'change' | 'copy'>()
  const removal = useAct(removePlace, {
    success: ({ removed, archived }) => (archived > 0 ? `已停用 ${archived} 个，删除 ${removed} 个` : `已删除 ${removed} 个`),
    onDone: ({ archived }) => {
      if (archived === 0) onSelect(place.parentId ?? undefined)
    },
  })
  const restore = useAct(changePlace, { success: '部位已恢复使用' })
  const order = useAct(orderPlaces, { success: false })
  const siblings = list.filter(
    (one) => one.parentId === place.parentId && !one.archived && (one.kind === 'area') === (place.kind === 'area'),
  )
  const at = siblings.findIndex((one) => one.id === place.id)
  const inside = list.filter((one) => one.parentId === place.id)
  const root = (one: SitePlace): SitePlace => {
    const parent = list.find((other) => other.id === one.parentId)
    return parent ? root(parent) : one
  }
  const floors = list.filter((one) => one.kind === 'floor' && one.id !== place.id && !one.archived && root(one).id === root(place).id)
  const moveBy = (step: number) => {
    const ids = siblings.map((one) => one.id)
    ids.splice(at + step, 0, ...ids.splice(at, 1))
    return order.run({ body: { projectCode, ids } })
  }
  const { id, version, name, code, unitId } = place
  return (
    <>
      <Card
        title={place.fullName}
        remark={
          <>
            {placeWords[place.kind]}
            {code && ` · ${code}`}
          </>
        }
        actions={place.archived && <Tag tone="warning">已停用</Tag>}
      >
        {place.archived && <Notice tone="warning">已有检查或整改记在这里，所以停用而不删除；新的记录不能再选。</Notice>}
        {may && (
          <div className="place-acts">
            {place.archived ? (
              <Button
                loading={restore.running}
                onClick={() => void restore.run({ body: { id, version, name, code, unitId, archived: false } })}
              >
                恢复使用
              </Button>
            ) : (
              <>
                <Button onClick={() => setOpen('change')}>修改</Button>
                {place.kind === 'building' && (
                  <Can call={createPlaces}>
                    <Button type="primary" ghost onClick={onSeries}>
                      批量生成楼层
                    </Button>
                  </Can>
                )}
                {kindsIn(place.kind).map((kind) => (
                  <Button key={kind} onClick={() => onAdd(kind)}>
                    新增{placeWords[kind]}
                  </Button>
                ))}
                {place.kind === 'floor' && floors.length > 0 && <Button onClick={() => setOpen('copy')}>复制到其他楼层</Button>}
                <Button disabled={at <= 0} loading={order.running} onClick={() => void moveBy(-1)}>
                  上移
                </Button>
                <Button disabled={at < 0 || at === siblings.length - 1} loading={order.running} onClick={() => void moveBy(1)}>
                  下移
                </Button>
                <Button
                  danger
                  onClick={() =>
                    void removal.afterRequesting(
                      {
                        thing: `删除部位 ${place.fullName}`,
                        consequence: '其中的下级部位一并删除；已有检查、整改或措施记在其中的，只停用不删除。',
                        verb: '删除部位',
                      },
                      { params: { id } },
                    )
                  }
                >
                  删除
                </Button>
              </>
            )}
          </div>
        )}
        <p className="place-links">
          <Link to={hrefOf('/securityCheck/securityCheckList', { place: id })}>这里的安全检查</Link>
          <Link to={hrefOf('/safetyP/abarbeitung/list', { place: id })}>这里的整改</Link>
        </p>
      </Card>
      {place.kind !== 'room' && place.kind !== 'unit' && (
        <PlanCard place={place} plan={plans.find((one) => one.placeId === id)} may={may && !place.archived} />
      )}
      {inside.length > 0 && (
        <Card title="下级" remark={`${inside.length} 个`}>
          <div className="place-chips">
            {inside.map((one) => (
              <button key={one.id} type="button" onClick={() => onSelect(one.id)}>
                {one.name}
                {one.archived && '（停用）'}
              </button>
            ))}
          </div>
        </Card>
      )}
      {open === 'change' && <ChangePlace projectCode={projectCode} place={place} onClose={() => setOpen(undefined)} />}
      {open === 'copy' && <CopyRooms floor={place} floors={floors} onClose={() => setOpen(undefined)} />}
    </>
  )
}
