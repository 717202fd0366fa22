import { getFactory, listBrands, updateFactory } from '@zhugong/contract/equipment/library-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { EnableTag, SwitchButton } from '#kit/enable.tsx'
import { Card, Empty, Pairs } from '#kit/feedback.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { DockTests } from './dock-tests.tsx'
import { DevicesCard, ModelsCard } from './library-cards.tsx'
import { ChangeList, ChooseFirst, DockTag, QualityFigures, useTab } from './library-parts.tsx'
import { SectionNav } from './section-nav.tsx'
import './equipment.css'

/** One manufacturer with its brands, models and devices. */
export default function FactoryDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const [tab, setTab] = useTab('basic')
  const { data: maker, error, isPending, refetch } = useCall(getFactory, { params: { id } }, { enabled: id !== '', quiet: true })
  const brands = useCall(listBrands, { query: { factoryId: id, size: 200 } }, { enabled: id !== '', quiet: true })
  const change = useAct(updateFactory, { success: '已更改' })
  if (!id) return <ChooseFirst hint="从厂商管理中选择一家" listPath="/manufactor1.1.0" listName="厂商管理" />
  const switched = maker && {
    enable: maker.enable,
    needs: updateFactory,
    question: {
      thing: `停用 ${maker.name}`,
      consequence: '新设备不能再选它；在用设备不受影响。',
      verb: '停用厂商',
      keep: '继续使用',
    },
    run: () => change.run({ params: { id }, body: { enable: turned(maker.enable), version: maker.version } }),
  }
  return (
    <DetailShell
      title={maker?.name}
      loading={isPending}
      error={error && !maker ? error : undefined}
      retry={refetch}
      tags={
        maker && (
          <>
            <DockTag state={maker.dockState} />
            <EnableTag enable={maker.enable} />
          </>
        )
      }
      facts={
        maker
          ? [
              { label: '品牌', value: maker.brands },
              { label: '型号', value: maker.models },
              { label: '设备', value: `在线 ${maker.online} / ${maker.devices} 台` },
              { label: '项目', value: maker.projects },
              { label: '未结报修', value: maker.openTickets, tone: maker.openTickets ? 'warning' : undefined },
            ]
          : []
      }
      actions={
        <Can call={updateFactory}>
          {switched && <SwitchButton {...switched} />}
          <Button type="primary" onClick={() => go('/manufactor1.1.0/edit', { id })}>
            编辑
          </Button>
        </Can>
      }
    >
      {maker && (
        <div className="eq-body">
          <SectionNav
            current={tab}
            onSelect={setTab}
            items={[
              { key: 'basic', title: '基本' },
              { key: 'brands', title: '品牌', count: maker.brands },
              { key: 'models', title: '型号', count: maker.models },
              { key: 'devices', title: '设备', count: maker.devices },
              { key: 'dock', title: '对接测试', count: maker.dockTests.length },
              { key: 'files', title: '附件', count: maker.files.length },
              { key: 'changes', title: '变更记录', count: maker.changes.length },
            ]}
          />
          <div className="eq-main">
            {tab === 'basic' && (
              <>
                <Card title="基本">
                  <Pairs
                    items={[
                      { label: '统一社会信用代码', value: maker.corpCode },
                      { label: '设备类别', value: maker.familyNames.join('、') },
                      { label: '覆盖区域', value: maker.areaNames.join('、') || '全部' },
                      { label: '技术联系人', value: maker.contact },
                      {
                        label: '技术电话',
                        value:
                          maker.contactPhone && !maker.contactPhone.includes('*') ? (
                            <a href={`tel:${maker.contactPhone}`}>{maker.contactPhone}</a>
                          ) : (
                            maker.contactPhone
                          ),
                      },
                      { label: '服务时间', value: maker.serviceHours },
                      { label: '商务联系人', value: maker.salesContact },
                      { label: '商务电话', value: maker.salesPhone },
                      { label: '更新时间', value: maker.updateTime },
                      { label: '备注', value: maker.remark, wide: true },
                    ]}
                  />
                </Card>
                <Card title="近 30 日质量" flush>
                  <QualityFigures quality={maker.quality} />
                </Card>
              </>
            )}
            {tab === 'brands' && (
              <Card
                title="品牌"
                flush
                actions={
                  <Can call={updateFactory}>
                    <Button size="small" onClick={() => go('/brand/edit', { factoryId: id })}>
                      添加品牌
                    </Button>
                  </Can>
                }
              >
                {(brands.data?.list ?? []).map((brand) => (
                  <Link key={brand.id} className="eq-row" to={hrefOf('/brand/details', { id: brand.id })}>
                    <b>{brand.name}</b>
                    <span className="zg-2">{brand.alias.join('、')}</span>
                    <span className="right zg-2">
                      {brand.models} 个型号，{brand.devices} 台设备
                    </span>
                  </Link>
                ))}
                {brands.data?.total === 0 && <Empty small text="没有品牌" hint="先添加品牌，再添加型号" />}
              </Card>
            )}
            {tab === 'models' && <ModelsCard owner={{ factoryId: id }} />}
            {tab === 'devices' && <DevicesCard owner={{ factoryId: id }} sites={maker.byProject} />}
            {tab === 'dock' && <DockTests maker={maker} />}
            {tab === 'files' && (
              <Card title="附件" remark="证照与检测报告">
                {maker.files.length === 0 ? (
                  <Empty small text="没有附件" hint="编辑厂商时上传证照" />
                ) : (
                  <div className="zg-row zg-wrap">
                    {maker.files.map((src) => (
                      <Thumb key={src} src={src} />
                    ))}
                  </div>
                )}
              </Card>
            )}
            {tab === 'changes' && (
              <Card title="变更记录">
                <ChangeList changes={maker.changes} />
              </Card>
            )}
          </div>
        </div>
      )}
    </DetailShell>
  )
}
