//! The manifests for Kubernetes, by its own schemas, and what they say of the image and of the server.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, from_str};

use super::container_image::Image;
use super::files::deploy_file;
use crate::TOOLS;
use test_support::tools::run;

/// Prints all documents of these files as a JSON list.
const PARSE: &str = "import json, sys, yaml; \
                     print(json.dumps([yaml.safe_load(open(file)) for file in sys.argv[1:]]))";

const KUSTOMIZATION: &str = "kustomization.yaml";

/// The oldest version whose schemas are checked, and the newest one that the validator has.
const VERSIONS: [&str; 2] = ["1.31", "1.37"];

/// The names of all files of the base but the kustomization, in order.
fn manifests() -> Vec<String> {
    let files = std::fs::read_dir(deploy_file("kubernetes")).expect("a folder");
    let names = files.map(|it| it.expect("a file").file_name().into_string());
    let names = names.map(|it| it.expect("UTF-8"));
    let is_manifest = |it: &String| it.ends_with(".yaml") && it != KUSTOMIZATION;
    let mut names: Vec<String> = names.filter(is_manifest).collect();
    names.sort();
    names
}

fn path(manifest: &str) -> PathBuf {
    deploy_file("kubernetes").join(manifest)
}

async fn parse(files: &[&str]) -> Vec<Value> {
    let mut parse = TOOLS.python("python");
    parse
        .args(["-c", PARSE])
        .args(files.iter().map(|it| path(it)));
    from_str(&run(&mut parse, &deploy_file("")).await).expect("documents")
}

async fn deployment() -> Value {
    parse(&["deployment.yaml"]).await.remove(0)
}

/// The value of a variable of the container.
fn variable<'a>(container: &'a Value, name: &str) -> &'a str {
    let variables = container["env"].as_array().expect("variables");
    let variable = variables.iter().find(|it| it["name"] == name);
    let variable = variable.unwrap_or_else(|| panic!("no {name}"));
    variable["value"].as_str().expect("a value")
}

#[tokio::test]
async fn kubernetes_accepts_the_manifests() {
    for version in VERSIONS {
        let mut check = TOOLS.python("kubernetes-validate");
        check.args(["--strict", "--kubernetes-version", version]);
        check.args(manifests().iter().map(|it| path(it)));
        run(&mut check, &deploy_file("")).await;
    }
}

#[tokio::test]
async fn the_kustomization_has_every_manifest() {
    let kustomization = parse(&[KUSTOMIZATION]).await.remove(0);
    assert_eq!(kustomization["resources"], Value::from(manifests()));
    assert_eq!(kustomization["kind"], "Kustomization");
}

/// The component for it is applied here as Kustomize applies it: one step of a JSON patch (RFC 6902).
#[tokio::test]
async fn the_autoscaler_can_go_by_connections_as_well() {
    let files = [
        "autoscaler.yaml",
        "connections/kustomization.yaml",
        "connections/metric.yaml",
    ];
    let [autoscaler, component, patch] = &mut parse(&files).await[..] else {
        panic!("a document of each file");
    };
    assert_eq!(component["kind"], "Component");
    let applied = &component["patches"][0];
    assert_eq!(applied["path"], "metric.yaml");
    assert_eq!(applied["target"]["kind"], autoscaler["kind"]);
    assert_eq!(applied["target"]["name"], autoscaler["metadata"]["name"]);
    let step = &mut patch[0];
    assert_eq!(step["op"], "add");
    assert_eq!(step["path"], "/spec/metrics/-");
    let metric = &step["value"]["pods"]["metric"]["name"];
    assert_eq!(metric, server::telemetry::names::CONNECTIONS);
    let metrics = autoscaler["spec"]["metrics"].as_array_mut();
    metrics.expect("metrics").push(step["value"].take());

    let folder = tempfile::tempdir().expect("a folder");
    let patched = folder.path().join("autoscaler.yaml");
    std::fs::write(&patched, autoscaler.to_string()).expect("a file");
    for version in VERSIONS {
        let mut check = TOOLS.python("kubernetes-validate");
        check.args(["--strict", "--kubernetes-version", version]);
        run(check.arg(&patched), folder.path()).await;
    }
}

#[tokio::test]
async fn the_manifests_select_the_pods_of_the_deployment() {
    let deployment = deployment().await;
    let pods = &deployment["spec"]["template"]["metadata"]["labels"];
    let files = [
        "service.yaml",
        "disruption-budget.yaml",
        "network-policy.yaml",
        "autoscaler.yaml",
    ];
    let [service, budget, network, autoscaler] = &parse(&files).await[..] else {
        panic!("a document of each file");
    };
    for selector in [
        &deployment["spec"]["selector"]["matchLabels"],
        &service["spec"]["selector"],
        &budget["spec"]["selector"]["matchLabels"],
        &network["spec"]["podSelector"]["matchLabels"],
    ] {
        assert_eq!(selector, pods);
    }
    let target = &autoscaler["spec"]["scaleTargetRef"];
    assert_eq!(target["name"], deployment["metadata"]["name"]);
    // The operator's listener isn't for clients.
    assert_eq!(service["spec"]["ports"].as_array().map(Vec::len), Some(1));
    assert_eq!(service["spec"]["ports"][0]["targetPort"], "http");
    let open = &network["spec"]["ingress"][0];
    assert_eq!(open["ports"].as_array().map(Vec::len), Some(1));
    assert_eq!(open["ports"][0]["port"], "http");
    // A neighbour among the trusted addresses could pretend to be any client.
    for way in network["spec"]["ingress"].as_array().expect("rules") {
        assert!(way["from"][0]["namespaceSelector"].is_object(), "{way}");
    }
}

#[tokio::test]
async fn the_pods_agree_with_the_image_and_have_no_rights() {
    let image = Image::parse("images/Dockerfile.static").await;
    let pod = deployment().await["spec"]["template"]["spec"].take();
    let container = &pod["containers"][0];
    let user = image.one("USER").split_once(':').expect("user and group").0;
    let rights = &pod["securityContext"];
    for id in ["runAsUser", "runAsGroup", "fsGroup"] {
        assert_eq!(rights[id].to_string(), user, "{id}");
    }
    assert_eq!(rights["runAsNonRoot"], true);
    assert_eq!(rights["seccompProfile"]["type"], "RuntimeDefault");
    assert_eq!(pod["automountServiceAccountToken"], false);
    assert_eq!(pod["enableServiceLinks"], false);
    let rights = &container["securityContext"];
    assert_eq!(rights["allowPrivilegeEscalation"], false);
    assert_eq!(rights["readOnlyRootFilesystem"], true);
    assert_eq!(
        rights["capabilities"],
        serde_json::json!({ "drop": ["ALL"] })
    );

    let port = |name: &str| {
        let ports = container["ports"].as_array().expect("ports");
        let port = ports.iter().find(|it| it["name"] == name);
        port.expect("a port")["containerPort"].to_string()
    };
    assert_eq!(port("http"), image.one("EXPOSE"));
    let admin = format!("0.0.0.0:{}", port("admin"));
    assert_eq!(variable(container, "VIDENCE_ADMIN_LISTEN"), admin);
    for (probe, path) in [
        ("startupProbe", "/healthz"),
        ("livenessProbe", "/healthz"),
        ("readinessProbe", "/readyz"),
    ] {
        let asked = &container[probe]["httpGet"];
        assert_eq!(
            (&asked["path"], &asked["port"]),
            (&path.into(), &"admin".into())
        );
    }

    // Each secret that a variable names is a key that is mounted there.
    let (mount, secret) = (&container["volumeMounts"][0], &pod["volumes"][0]["secret"]);
    let folder = mount["mountPath"].as_str().expect("a folder");
    let mut files: Vec<String> = Vec::new();
    for item in secret["items"].as_array().expect("keys") {
        files.push(format!(
            "{folder}/{}",
            item["path"].as_str().expect("a name")
        ));
    }
    let named = [
        "VIDENCE_DATABASE_URL_FILE",
        "AWS_ACCESS_KEY_ID_FILE",
        "AWS_SECRET_ACCESS_KEY_FILE",
    ];
    assert_eq!(named.map(|it| variable(container, it)).to_vec(), files);
}

/// The server checks its settings, and the pod outlives its shutdown.
#[tokio::test]
async fn the_settings_of_the_pods_work_and_leave_time_to_stop() {
    let settings = parse(&["settings.yaml"]).await.remove(0);
    let pod = deployment().await["spec"]["template"]["spec"].take();
    let container = &pod["containers"][0];
    let folder = tempfile::tempdir().expect("a folder");
    let mut check = Command::new(env!("CARGO_BIN_EXE_vidence"));
    check.args(["config", "--check"]).env_clear();
    check.env("VIDENCE_LISTEN", "0.0.0.0:3000");
    for (name, value) in settings["data"].as_object().expect("settings") {
        check.env(name, value.as_str().expect("a text"));
    }
    for it in container["env"].as_array().expect("variables") {
        let name = it["name"].as_str().expect("a name");
        let value = match name.strip_suffix("_FILE") {
            None => it["value"].as_str().expect("a value").to_owned(),
            Some(secret) => {
                let file = folder.path().join(secret);
                std::fs::write(
                    &file,
                    "postgres://vidence:secret@db.example.org/vidence?sslmode=verify-full\n",
                )
                .expect("a file");
                file.display().to_string()
            }
        };
        check.env(name, value);
    }
    let checked = check.output().expect("an end");
    let text = String::from_utf8_lossy(&checked.stdout);
    assert_eq!(text, "The settings can be used.\n", "{checked:?}");

    let seconds = |name: &str| -> u64 {
        let value = settings["data"][name]
            .as_str()
            .expect("a setting")
            .strip_suffix('s');
        value.and_then(|it| it.parse().ok()).expect("seconds")
    };
    let stopping = seconds("VIDENCE_DRAIN_NOTICE") + seconds("VIDENCE_DRAIN") + 10;
    let grace = pod["terminationGracePeriodSeconds"].as_u64();
    assert!(grace > Some(stopping), "{grace:?} for {stopping}");
    // Longer than it takes until a node counts as not ready, and new requests go elsewhere.
    let probe = &container["readinessProbe"];
    let number = |it: &str| probe[it].as_u64().expect("a number");
    let noticed = number("periodSeconds") * number("failureThreshold");
    assert!(seconds("VIDENCE_DRAIN_NOTICE") > noticed);
}
