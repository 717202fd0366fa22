import {
  createMeterPrice,
  draftSheet,
  listMeterPrices,
  type MeterKind,
  meterKindNames,
  meterUnits,
  removeMeterPrice,
} from '@zhugong/contract/monitoring/meter/meter-settle'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { MonthInput, NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'

const { Field } = formOf(createMeterPrice)

const refreshed = [listMeterPrices, draftSheet]
const mostPrices = 100
const priceDecimals = 4

/** Price of a kWh or cubic metre, by starting month. */
export function MeterPrices({ projectCode, kind, onClose }: { projectCode: string; kind: MeterKind; onClose: () => void }) {
  const list = useCall(listMeterPrices, { query: { projectCode, kind, size: mostPrices } }, { quiet: true })
  const [adding, setAdding] = useState(false)
  const remove = useAct(removeMeterPrice, { success: '已删除', refreshes: refreshed })
  const rows = list.data?.list ?? []
  const yuan = (n: number | null) => (n === null ? '--' : n.toFixed(priceDecimals).replace(/0{1,2}$/, ''))
  return (
    <PageDrawer
      open
      size={620}
      title={`${meterKindNames[kind]}单价（元/${meterUnits[kind]}）`}
      onClose={onClose}
      extra={
        <Can call={createMeterPrice}>
          <Button type="primary" onClick={() => setAdding(true)}>
            新单价
          </Button>
        </Can>
      }
    >
      {list.isPending && <TableSkeleton rows={3} columns={5} />}
      {list.error && !list.data && <ErrorPanel error={list.error} retry={list.refetch} />}
      {list.data && rows.length === 0 && (
        <Empty text="还没有单价" hint="设置后结算单同时算出金额；单价从某个月起一直有效，直到下一个单价" />
      )}
      {rows.length > 0 && (
        <table className="fam-table">
          <thead>
            <tr>
              <th scope="col">自</th>
              <th scope="col">{kind === 'electric' ? '平' : '单价'}</th>
              {kind === 'electric' && (
                <>
                  <th scope="col">峰</th>
                  <th scope="col">谷</th>
                </>
              )}
              <th scope="col" className="word">
                设置人
              </th>
              <th scope="col" className="word">
                操作
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.id}>
                <td>{one.fromMonth}</td>
                <td>{yuan(one.price)}</td>
                {kind === 'electric' && (
                  <>
                    <td>{yuan(one.peakPrice)}</td>
                    <td>{yuan(one.valleyPrice)}</td>
                  </>
                )}
                <td className="word zg-2">{one.createBy}</td>
                <td className="word">
                  {one.locked ? (
                    <span className="zg-2">已用于月结</span>
                  ) : (
                    <Can call={removeMeterPrice}>
                      <button
                        type="button"
                        className="zg-bare zg-link zg-link-danger"
                        onClick={() =>
                          void remove.afterRequesting(
                            {
                              thing: `删除自 ${one.fromMonth} 的单价`,
                              consequence: '之后的月份按更早的单价计算；没有更早的单价则没有金额。',
                              verb: '删除',
                              keep: '保留',
                            },
                            { params: { id: one.id }, query: { projectCode } },
                          )
                        }
                      >
                        删除
                      </button>
                    </Can>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {adding && <NewPrice projectCode={projectCode} kind={kind} onClose={() => setAdding(false)} />}
    </PageDrawer>
  )
}

function NewPrice({ projectCode, kind, onClose }: { projectCode: string; kind: MeterKind; onClose: () => void }) {
  const act = useAct(createMeterPrice, { success: '已保存', refreshes: refreshed })
  const unit = `元/${meterUnits[kind]}`
  return (
    <FormDrawer
      open
      title="新单价"
      act={act}
      onClose={onClose}
      input={(body: Values) => ({ query: { projectCode }, body: { ...body, kind } })}
    >
      <Field name="fromMonth" label="自" help="从这个月起有效，已月结的月份不变">
        <MonthInput />
      </Field>
      <Field name="price" label={kind === 'electric' ? '平价' : '单价'}>
        <NumberInput unit={unit} min={0} precision={priceDecimals} />
      </Field>
      {kind === 'electric' && (
        <>
          <Field name="peakPrice" label="峰价" help="不分峰谷时都不填">
            <NumberInput unit={unit} min={0} precision={priceDecimals} />
          </Field>
          <Field name="valleyPrice" label="谷价">
            <NumberInput unit={unit} min={0} precision={priceDecimals} />
          </Field>
        </>
      )}
    </FormDrawer>
  )
}
