import { PrinterOutlined } from '@ant-design/icons'
import { getHouse, runHouseSync, signHouse } from '@zhugong/contract/houses/houses'
import { houseStates, itemResultNames, mostHousePhotos } from '@zhugong/contract/houses/moves'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Evidence } from '#kit/work-item.tsx'
import { anyProject, HouseTag } from './house-words.tsx'

type Detail = OutputFor<typeof getHouse>
type Result = '1' | '2' | '3'
interface Found {
  result: Result
  note: string | null
  photos: string[]
}

/** One house: its items, the three signatures and the certificate. */
export function HouseDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useCall(getHouse, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  return (
    <PageDrawer
      open
      size={760}
      title={
        data ? (
          <span className="zg-row zg-gap-6 zg-middle">
            {data.buildingName} {data.name} <HouseTag row={data} />
          </span>
        ) : (
          '分户验收'
        )
      }
      onClose={onClose}
    >
      {error && !data ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : (
        <Body key={data.version} house={data} />
      )}
    </PageDrawer>
  )
}

function Body({ house }: { house: Detail }) {
  const dicts = useDicts('houseAcceptItem')
  const [changes, setChanges] = useState<Readonly<Record<string, Found>>>({})
  const [note, setNote] = useState('')
  const [photos, setPhotos] = useState<string[]>([])
  const act = useAct(runHouseSync)
  const print = usePrint('houseCert')
  const allowedActions = new Set(house.actions.map((one) => one.action))
  const editable = allowedActions.has('save')
  const kept = new Map(house.items.map((one) => [one.itemCode, one as Found & { itemCode: string }]))
  const at = (code: string): Found | undefined => changes[code] ?? kept.get(code)
  const groups = dicts.tree('houseAcceptItem')
  const leaves = groups.flatMap((group) => group.children ?? [])
  const open = leaves.filter((one) => !at(one.value))
  const bad = leaves.filter((one) => at(one.value)?.result === itemResults.wrong)
  const items = Object.entries(changes).map(([itemCode, one]) => ({ itemCode, ...one }))
  const move = { id: house.id, version: house.version }
  const run = (body: Parameters<typeof act.run>[0]['body']) => act.run({ query: anyProject, body }, { fieldsShown: true })
  const set = (code: string, more: Partial<Found>) =>
    setChanges((now) => ({ ...now, [code]: { result: itemResults.right, note: null, photos: [], ...at(code), ...more } }))
  const conclude = house.state === houseStates.toRecheck ? ('recheck' as const) : ('accept' as const)
  return (
    <div className="houses-form">
      <Pairs
        items={[
          { label: '外部编号', value: house.externalNo },
          { label: '户型', value: house.houseType },
          { label: '建筑面积', value: house.buildArea === null ? null : `${house.buildArea} m²` },
          { label: '验收日期', value: house.acceptDate },
          { label: '证明编号', value: house.certNo },
          { label: '未闭合问题', value: house.problemCount },
        ]}
      />
      {house.gone && <Notice tone="danger">来源已无此户：已有验收数据，保留备查，不能继续办理</Notice>}
      {house.state === houseStates.passed && (
        <Button
          icon={<PrinterOutlined />}
          loading={print.running}
          onClick={() => void print.run({ body: { feature: 'houseCert', exportType: 'pdf', query: { id: house.id } } })}
        >
          打印分户验收证明
        </Button>
      )}
      {allowedActions.has('start') && (
        <Button type="primary" size="large" loading={act.running} onClick={() => void run({ action: 'start', ...move })}>
          开始验收
        </Button>
      )}
      {allowedActions.has('fix') && (
        <Card title="整改完成" remark={`${house.problemCount} 个问题`}>
          <div className="houses-form">
            <Input.TextArea aria-label="整改情况" rows={2} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
            <Upload value={photos} onChange={(next) => setPhotos(next ?? [])} max={9} camera="environment" />
            {Object.values(act.fieldErrors)[0] && <p className="tone-danger">{Object.values(act.fieldErrors)[0]}</p>}
            <Button type="primary" loading={act.running} onClick={() => void run({ action: 'fix', ...move, note, photos })}>
              提交整改
            </Button>
          </div>
        </Card>
      )}
      <Evidence text={house.fixNote} photos={house.fixPhotos} name="整改后" />
      {house.state !== houseStates.fresh && (
        <Card
          title="验收项"
          remark={editable ? `还有 ${open.length} 项未验收，${bad.length} 项不合格` : undefined}
          actions={
            editable &&
            open.length > 0 && (
              <Button
                onClick={() =>
                  setChanges((now) => ({
                    ...now,
                    ...Object.fromEntries(open.map((one) => [one.value, { result: itemResults.right, note: null, photos: [] }])),
                  }))
                }
              >
                其余全部合格
              </Button>
            )
          }
        >
          {groups.map((group) => (
            <section key={group.value}>
              <h4>{group.label}</h4>
              <ul className="houses-items">
                {(group.children ?? []).map((item) => {
                  const found = at(item.value)
                  return (
                    <li key={item.value} data-bad={found?.result === itemResults.wrong ? '' : undefined}>
                      <span>{item.label}</span>
                      {editable ? (
                        <Segmented
                          aria-label={item.label}
                          options={Object.entries(itemResultNames).map(([value, label]) => ({ value, label }))}
                          value={found?.result ?? ''}
                          onChange={(result) => set(item.value, { result: result as Result })}
                        />
                      ) : (
                        <span className={found?.result === itemResults.wrong ? 'tone-danger' : 'zg-2'}>
                          {found ? itemResultNames[found.result] : '未验收'}
                        </span>
                      )}
                      {found?.result === itemResults.wrong &&
                        (editable ? (
                          <div className="houses-bad">
                            <Input
                              aria-label={`${item.label}的问题`}
                              placeholder="写明问题和位置"
                              maxLength={200}
                              value={found.note ?? ''}
                              onChange={(event) => set(item.value, { note: event.target.value || null })}
                            />
                            <Upload
                              value={found.photos}
                              onChange={(next) => set(item.value, { photos: next ?? [] })}
                              max={mostHousePhotos}
                              camera="environment"
                            />
                          </div>
                        ) : (
                          <Evidence text={found.note} photos={found.photos} name={item.label} />
                        ))}
                    </li>
                  )
                })}
              </ul>
            </section>
          ))}
          {editable && (
            <div className="zg-row zg-gap-6 houses-bar">
              {Object.values(act.fieldErrors)[0] && <span className="tone-danger">{Object.values(act.fieldErrors)[0]}</span>}
              <Button
                className="zg-end"
                size="large"
                disabled={items.length === 0}
                loading={act.running}
                onClick={() => void run({ action: 'save', ...move, items })}
              >
                保存
              </Button>
              <Button
                type="primary"
                size="large"
                disabled={open.length > 0}
                title={bad.length === 0 ? '无问题时须三方签字后提交' : undefined}
                loading={act.running}
                onClick={() => void run({ action: conclude, ...move, items })}
              >
                {bad.length > 0 ? `提交，${bad.length} 项待整改` : conclude === 'recheck' ? '复验合格' : '验收合格'}
              </Button>
            </div>
          )}
        </Card>
      )}
      <SignaturesCard rows={house.signatures} call={signHouse} id={house.id} />
      {house.timeline.length > 0 && <Course lines={house.timeline} />}
    </div>
  )
}
