import { Button } from 'antd'
import { Can } from '#kit/can.tsx'
import { Card, Pairs } from '#kit/feedback.tsx'
import { span } from '#kit/format.ts'
import { useGo } from '#kit/page.tsx'
import type { Device } from './device.ts'
import { protocols } from './device-words.tsx'

const accessNames: Readonly<Record<string, string>> = {
  protocol: '协议',
  gatewayId: '网关标识',
  mn: 'MN',
  units: '上报单位',
  crcMode: '校验方式',
  phone: '终端手机号',
  appId: '应用编号',
}

export function Access({ device }: { device: Device }) {
  const go = useGo()
  const shown = Object.entries(device.access).filter(([key, value]) => value !== undefined && value !== null && key !== 'protocol')
  return (
    <Card
      title="接入"
      remark={protocols[device.protocol] ?? device.protocol}
      actions={
        device.gatewayId && (
          <Can code="device-admin.gateway">
            <Button size="small" onClick={() => go('/gateway/details', { id: device.gatewayId ?? '' })}>
              看网关
            </Button>
          </Can>
        )
      }
    >
      <Pairs
        items={[
          { label: '序列号', value: device.deviceSn },
          { label: '网关', value: device.gatewayName },
          ...shown.map(([key, value]) => ({
            label: accessNames[key] ?? key,
            value:
              typeof value === 'object'
                ? Object.entries(value as Record<string, unknown>)
                    .map(([k, v]) => `${k} ${String(v)}`)
                    .join('，')
                : String(value),
          })),
          { label: '上报间隔', value: `${device.intervalSeconds} 秒` },
          { label: '判离线', value: `${span(device.offlineSeconds * 1000)}没有数据` },
          { label: '安装位置', value: device.installPlace },
          { label: '坐标', value: device.lng === null || device.lat === null ? '' : `${device.lng}, ${device.lat}` },
          { label: '安装日期', value: device.installDate },
          { label: '负责人', value: device.leader },
          { label: '登记时间', value: device.createTime },
          { label: '厂家', value: [device.factoryName, device.brandName].filter(Boolean).join(' / ') },
          { label: '供应商', value: device.providerName },
          { label: '产权单位', value: device.ownerCorpName },
          { label: '产权备案编号', value: device.specialRecordNo },
          { label: '使用年限', value: device.ageYears === null ? '' : `${device.ageYears} 年` },
        ]}
      />
    </Card>
  )
}
