/**
 * Formats in which face gates push passages. Each is an entry here and a parser of the same key in the server's
 * `telemetry/gates/dialects/`. The fields come from the makers' interface documents and from public receivers of these pushes.
 */
export interface GateDialect {
  readonly key: string
  readonly name: string
  /** Where the address is entered in the gate's own settings. */
  readonly hint: string
  /** What a message of this format must contain; shown when a pasted message does not. */
  readonly needs: string
  /** Documents from which the fields are known. */
  readonly source: string
}

export const gateDialects = [
  {
    key: 'event',
    name: '海康：事件推送（AccessControllerEvent）',
    hint: '在门禁的 网络 → 高级 → HTTP 监听 中填写这一地址；JSON、XML 或 multipart 均可，照片为第二部分',
    needs: '应有 AccessControllerEvent，内含 majorEventType、subEventType 与 employeeNoString',
    source: 'ISAPI 事件通知 EventNotificationAlert，门禁主机与人脸一体机',
  },
  {
    key: 'dahua',
    name: '大华：事件中心推送（Code=AccessControl）',
    hint: '在门禁的 网络 → 事件上报（自动注册中心、HTTP 上传）中填写这一地址，内容选 门禁事件',
    needs: '应有 Code 与 Data，Code 为 AccessControl',
    source: 'DHOP / HTTP API 的 AccessControl 事件',
  },
  {
    key: 'uniview',
    name: '宇视：人员核验推送（LAPI PersonVerification）',
    hint: '在终端的 服务器 → 平台通信 中填写这一地址；终端会在后面加上 /LAPI/V1.0/System/Event/Notification/…',
    needs: '应有 DeviceCode 与 LibMatInfoList',
    source: 'LAPI 人脸门禁接口，PersonVerification 与 HeartReportInfo',
  },
  {
    key: 'operator',
    name: '识别记录推送（operator：RecPush、VerifyPush、StrSnapPush）',
    hint: '在人脸机的 平台对接 → HTTP 订阅 中填写这一地址；用 MQTT 的同类设备在网关里接入',
    needs: '应有 operator 与 info，operator 为 RecPush、VerifyPush、StrSnapPush 或 SnapPush',
    source: '人脸识别设备 HTTP 协议 V1.13 与 MQTT 协议，operator/info 结构',
  },
  {
    key: 'adms',
    name: '中控：ADMS 推送（iclock）',
    hint: '在考勤机的 通讯设置 → 云服务器设置 中启用域名，填写这一地址；设备会在后面加上 /iclock/cdata',
    needs: '每行应为 工号、时间、状态、验证方式，以制表符分隔，时间如 2026-11-21 07:58:03',
    source: 'PUSH 协议 2.x，cdata、getrequest、ATTLOG',
  },
  {
    key: 'callback',
    name: '识别回调（deviceKey、personId）',
    hint: '在人脸机的 识别记录回调地址 中填写；表单或 JSON 均可，照片为 path 或 imgBase64',
    needs: '应有 deviceKey 与 type，type 如 face_0',
    source: '人脸终端识别回调接口，type=face_0/1/2',
  },
  {
    key: 'generic',
    name: '通用（本平台的通行记录）',
    hint: '由厂商平台按接口文档中的通行记录推送',
    needs: '应有 items，或一条含 time 与 data 的记录',
    source: '本平台接口文档',
  },
] as const satisfies readonly GateDialect[]

export type GateDialectKey = (typeof gateDialects)[number]['key']
export const gateDialectKeys = gateDialects.map(({ key }) => key) as [GateDialectKey, ...GateDialectKey[]]
