import { updateBrand } from '@zhugong/contract/equipment/library-endpoints'
import { listModels } from '@zhugong/contract/equipment/model-endpoints'
import { Button } from 'antd'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty } from '#kit/feedback.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SiteBars } from './library-parts.tsx'

/** Owner of the models or devices: a brand or a manufacturer. */
export type Owner = { brandId: string } | { factoryId: string }

/** Maximum number of models of one brand or manufacturer. */
const mostModels = 500

/** Models of a brand, or of all brands of a manufacturer, then with the brand of each. */
export function ModelsCard({ owner }: { owner: Owner }) {
  const go = useGo()
  const { data } = useCall(listModels, { query: { ...owner, size: mostModels } }, { quiet: true })
  return (
    <Card
      title="型号"
      flush
      actions={
        <Can call={updateBrand}>
          <Button size="small" onClick={() => go('/model/edit', owner)}>
            添加型号
          </Button>
        </Can>
      }
    >
      {(data?.list ?? []).map((model) => (
        <Link key={model.id} className="eq-row" to={hrefOf('/model/details', { id: model.id })}>
          <b>{model.name}</b>
          <span className="zg-2">
            {'factoryId' in owner ? `${model.brandName} ` : ''}
            {model.familyName} V{model.modelVersion}
          </span>
          <span className="right zg-2">
            {model.metricCount} 项指标，{model.devices} 台设备
          </span>
        </Link>
      ))}
      {data?.total === 0 && <Empty small text="没有型号" hint="型号说明测什么、怎么读" />}
    </Card>
  )
}

/** Sites with devices of a brand or manufacturer. */
export function DevicesCard({ owner, sites }: { owner: Owner } & ComponentProps<typeof SiteBars>) {
  const go = useGo()
  return (
    <Card
      title="设备"
      remark="按项目"
      actions={
        <Button size="small" onClick={() => go('/administrationAll', { ...owner, tab: 'list' })}>
          看清单
        </Button>
      }
    >
      <SiteBars sites={sites} />
    </Card>
  )
}
