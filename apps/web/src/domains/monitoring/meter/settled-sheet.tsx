import { PrinterOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  getSettledSheet,
  listSettledMonths,
  meterKindNames,
  meterSheetFeature,
  signResults,
  signSheet,
} from '@zhugong/contract/monitoring/meter/meter-settle'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, LongText } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePrint } from '#kit/use-print.ts'
import { SheetTable } from './sheet-table.tsx'
import './meter.css'

const { Field } = formOf(signSheet)

type Sheet = OutputFor<typeof getSettledSheet>

/** A settled month with signatures and print. */
export function SettledSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const {
    data: sheet,
    error,
    refetch,
  } = useCall(getSettledSheet, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const mayPrint = [useCan('meters.export'), useCan('export.run')].every(Boolean)
  const print = usePrint(meterSheetFeature)
  const [signing, setSigning] = useState<string>()
  return (
    <PageDrawer
      open
      size={1000}
      title={sheet ? `${meterKindNames[sheet.kind]}结算单 ${sheet.month}` : '结算单'}
      onClose={onClose}
      extra={
        mayPrint && (
          <Button
            icon={<PrinterOutlined />}
            disabled={!sheet}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: meterSheetFeature, exportType: 'pdf', query: { id } } })}
          >
            打印
          </Button>
        )
      }
    >
      {error && !sheet && <ErrorPanel error={error} retry={refetch} />}
      {!error && !sheet && <TableSkeleton rows={6} columns={8} />}
      {sheet && (
        <>
          <SheetTable sheet={sheet} />
          <Signatures sheet={sheet} onSign={setSigning} />
        </>
      )}
      {sheet && signing !== undefined && <SignForm sheet={sheet} corpName={signing} onClose={() => setSigning(undefined)} />}
    </PageDrawer>
  )
}

function Signatures({ sheet, onSign }: { sheet: Sheet; onSign: (corpName: string) => void }) {
  const corps = [...new Set(sheet.rows.flatMap((one) => (one.corpName ? [one.corpName] : [])))]
  return (
    <Card title="签认" remark="打印后由使用单位签字，在此登记" flush>
      <dl>
        {corps.map((corpName) => {
          const said = sheet.signed.find((one) => one.corpName === corpName)
          return (
            <div className="meter-sign" key={corpName}>
              <dt>{corpName}</dt>
              <dd>
                {said ? (
                  <>
                    <Tag tone={said.result === 'agreed' ? 'running' : 'danger'}>{signResults[said.result]}</Tag> {said.signer}
                    {said.remark && `：${said.remark}`}
                    <span className="zg-2">
                      {' '}
                      {time(said.time)} 由 {said.by} 登记
                    </span>
                  </>
                ) : (
                  <span className="zg-2">未签认</span>
                )}
              </dd>
              <dd>
                <Can call={signSheet}>
                  <Button onClick={() => onSign(corpName)}>{said ? '重新登记' : '登记签认'}</Button>
                </Can>
              </dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}

const results = Object.entries(signResults).map(([value, label]) => ({ value, label }))

function SignForm({ sheet, corpName, onClose }: { sheet: Sheet; corpName: string; onClose: () => void }) {
  const act = useAct(signSheet, { success: '已登记', refreshes: [getSettledSheet, listSettledMonths] })
  return (
    <FormDrawer
      open
      title={`${corpName} 签认`}
      act={act}
      initial={{ result: 'agreed' }}
      onClose={onClose}
      input={(body: BodyOf<typeof signSheet>) => ({
        params: { id: sheet.id },
        query: { projectCode: sheet.projectCode },
        body: { ...body, corpName, version: sheet.version },
      })}
    >
      <Field name="signer" label="签认人">
        <Input placeholder="在纸上签字的人" />
      </Field>
      <Field name="result" label="结果">
        <Choice clear={false} options={results} />
      </Field>
      <Field name="remark" label="说明" help="有异议时写明哪块表、差多少">
        <LongText />
      </Field>
    </FormDrawer>
  )
}
