import { LeftOutlined, RightOutlined, SearchOutlined } from '@ant-design/icons'
import { placeWords } from '@zhugong/contract/places/kinds'
import type { Pin } from '@zhugong/contract/places/pins'
import type { SitePlace } from '@zhugong/contract/places/places'
import type { PlaceNode } from '@zhugong/contract/places/tree'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import { Empty } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePref } from '#kit/pref-state.ts'
import { PlanBoard } from './plan-board.tsx'
import type { Places } from './use-places.ts'

export interface ChosenPlace {
  placeId: string
  pin: Pin | null
}
interface ChooserProps {
  projectCode: string
  places: Places
  value: ChosenPlace | undefined
  /** Also asks for a point on the plan. */
  withPin: boolean
  onChoose: (chosen: ChosenPlace, place: SitePlace) => void
  onClose: () => void
}

const mostRecent = 6
const mostFound = 40

/** Goes down the tree by taps, or finds a place by words; then a point on its plan, if it has one. */
export function PlaceChooser({ projectCode, places, value, withPin, onChoose, onClose }: ChooserProps) {
  const [word, setWord] = useState('')
  const [recent, setRecent] = usePref<readonly string[]>(`places:${projectCode}`, [])
  const [at, setAt] = useState<string | null>(value?.placeId ?? null)
  const [pin, setPin] = useState<Pin | null>(value?.pin ?? null)
  const nodes = useMemo(() => nodesOf(places.tree), [places])
  const node = at === null ? undefined : nodes.get(at)
  const plan = withPin ? places.planFor(at) : undefined
  const go = (id: string | null) => {
    setAt(id)
    setWord('')
    if (places.planFor(id)?.id !== pin?.planId) setPin(null)
  }
  const found = word === '' ? undefined : search(nodes, word)
  // A room has nothing in it: its neighbours stay in sight.
  const level =
    node === undefined ? undefined : node.children.length > 0 ? node : node.parentId === null ? undefined : nodes.get(node.parentId)
  const shown = found ?? level?.children ?? places.tree
  const recents = recent.flatMap((id) => nodes.get(id) ?? [])
  const confirm = () => {
    if (!node) return
    setRecent([node.id, ...recent.filter((id) => id !== node.id)].slice(0, mostRecent))
    onChoose({ placeId: node.id, pin: pin && plan?.id === pin.planId ? pin : null }, node)
  }
  return (
    <PageDrawer
      open
      size={520}
      title="选择位置"
      onClose={onClose}
      footer={
        <div className="place-foot">
          <span className="zg-line" title={node?.fullName}>
            {node?.fullName ?? <span className="zg-2">尚未选择</span>}
          </span>
          <Button type="primary" size="large" disabled={!node} onClick={confirm}>
            确定
          </Button>
        </div>
      }
    >
      <div className="place-chooser">
        <Input
          size="large"
          allowClear
          prefix={<SearchOutlined />}
          aria-label="搜索部位"
          placeholder="搜索，例如 1# 5层"
          maxLength={50}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        {word === '' && recents.length > 0 && (
          <section aria-label="最近用过">
            <p className="zg-2">最近用过</p>
            <div className="place-chips">
              {recents.map((one) => (
                <button key={one.id} type="button" aria-pressed={one.id === at} onClick={() => go(one.id)}>
                  {one.fullName}
                </button>
              ))}
            </div>
          </section>
        )}
        {found === undefined && level !== undefined && (
          <button type="button" className="place-back" onClick={() => go(level.parentId)}>
            <LeftOutlined /> {level.fullName}
          </button>
        )}
        <ul className="place-choices">
          {shown.map((one) => (
            <li key={one.id}>
              <button type="button" aria-pressed={one.id === at} onClick={() => go(one.id)}>
                <span>{found ? one.fullName : one.name}</span>
                <span className="zg-2">
                  {placeWords[one.kind]}
                  {one.children.length > 0 && (
                    <>
                      {' '}
                      {one.children.length} <RightOutlined />
                    </>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <Empty small text="没有找到部位" hint="换个词，或关闭后直接填写部位" />}
        {plan && found === undefined && (
          <section aria-label="平面图">
            <p className="zg-2">
              {plan.name}：{pin ? '已标点，再点可改' : '点一下标出位置，也可以不标'}
              {pin && (
                <button type="button" className="zg-bare zg-link" onClick={() => setPin(null)}>
                  清除标点
                </button>
              )}
            </p>
            <PlanBoard
              plan={plan}
              marks={pin ? [{ key: 'pin', label: '', x: pin.x, y: pin.y, title: '位置' }] : []}
              onTap={(x, y) => setPin({ planId: plan.id, x, y })}
            />
          </section>
        )}
      </div>
    </PageDrawer>
  )
}

function nodesOf(tree: readonly PlaceNode[], into = new Map<string, PlaceNode>()): Map<string, PlaceNode> {
  for (const node of tree) {
    into.set(node.id, node)
    nodesOf(node.children, into)
  }
  return into
}

/** Places whose full name or code has all the words; the outer ones first. */
function search(nodes: ReadonlyMap<string, PlaceNode>, typed: string): PlaceNode[] {
  const words = typed.trim().toLowerCase().split(/\s+/)
  const fits = ({ fullName, code }: SitePlace) => words.every((one) => `${fullName} ${code ?? ''}`.toLowerCase().includes(one))
  return [...nodes.values()]
    .filter(fits)
    .sort((a, b) => a.fullName.split(' / ').length - b.fullName.split(' / ').length)
    .slice(0, mostFound)
}
